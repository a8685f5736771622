// DOCX files for tests, zipped in memory.
#ifndef WHEREOF_TESTS_DOCUMENT_SAMPLE_DOCX_H_
#define WHEREOF_TESTS_DOCUMENT_SAMPLE_DOCX_H_

#include <zip.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace whereof::testing {

class SampleDocx {
 public:
  SampleDocx& part(std::string name, std::string content) {
    parts_.emplace_back(std::move(name), std::move(content));
    return *this;
  }
  // The children of w:body, of w:numbering, of w:styles, of w:footnotes.
  SampleDocx& body(const std::string& xml) {
    return word("document", "<w:body>" + xml + "</w:body>");
  }
  SampleDocx& numbering(const std::string& xml) { return related("numbering", xml); }
  SampleDocx& styles(const std::string& xml) { return related("styles", xml); }
  SampleDocx& footnotes(const std::string& xml) { return related("footnotes", xml); }
  SampleDocx& comments(const std::string& xml) { return related("comments", xml); }

  std::string bytes() const {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_t* archive = zip_open_from_source(buffer, ZIP_TRUNCATE, &error);
    if (archive == nullptr) throw std::runtime_error(zip_error_strerror(&error));
    zip_source_keep(buffer);
    add(archive, "[Content_Types].xml", "<Types/>");
    add(archive, "_rels/.rels",
        "<Relationships><Relationship Id=\"a\" Type=\"http://x/officeDocument\" "
        "Target=\"word/document.xml\"/></Relationships>");
    add(archive, "word/_rels/document.xml.rels",
        "<Relationships>" + relationships_ + "</Relationships>");
    for (const auto& [name, content] : parts_) add(archive, name, content);
    if (zip_close(archive) != 0) throw std::runtime_error("cannot zip");
    std::string bytes = contents(buffer);
    zip_source_free(buffer);
    return bytes;
  }

 private:
  static constexpr const char* kNamespaces =
      " xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\""
      " xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\""
      " xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\""
      " xmlns:v=\"urn:schemas-microsoft-com:vml\"";

  SampleDocx& word(const std::string& root, const std::string& xml) {
    return part("word/" + root + ".xml",
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><w:" + root +
                    kNamespaces + ">" + xml + "</w:" + root + ">");
  }
  SampleDocx& related(const std::string& root, const std::string& xml) {
    relationships_ += "<Relationship Id=\"" + root + "\" Type=\"http://x/" + root + "\" Target=\"" +
                      root + ".xml\"/>";
    return word(root, xml);
  }
  static void add(zip_t* archive, const std::string& name, const std::string& content) {
    // libzip frees no buffer of no bytes.
    void* copy = content.empty() ? nullptr : std::malloc(content.size());
    if (copy != nullptr) std::memcpy(copy, content.data(), content.size());
    zip_source_t* source = zip_source_buffer(archive, copy, content.size(), 1);
    if (zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE) < 0) {
      throw std::runtime_error("cannot add " + name);
    }
  }
  static std::string contents(zip_source_t* buffer) {
    zip_stat_t status;
    zip_source_stat(buffer, &status);
    zip_source_open(buffer);
    std::string bytes(status.size, '\0');
    zip_source_read(buffer, bytes.data(), bytes.size());
    zip_source_close(buffer);
    return bytes;
  }

  std::vector<std::pair<std::string, std::string>> parts_;
  std::string relationships_;
};

inline std::string run(const std::string& text, const std::string& properties = "") {
  return "<w:r><w:rPr>" + properties + "</w:rPr><w:t xml:space=\"preserve\">" + text +
         "</w:t></w:r>";
}

// A paragraph of ready-made runs, or of one run with this text.
inline std::string paragraph_of(const std::string& runs, const std::string& properties = "") {
  return "<w:p><w:pPr>" + properties + "</w:pPr>" + runs + "</w:p>";
}
inline std::string paragraph(const std::string& text, const std::string& properties = "") {
  return paragraph_of(run(text), properties);
}

// Numbered by list `list` at `level`.
inline std::string numbered(int list, int level, const std::string& text) {
  return paragraph(text, "<w:numPr><w:ilvl w:val=\"" + std::to_string(level) +
                             "\"/><w:numId w:val=\"" + std::to_string(list) + "\"/></w:numPr>");
}

inline std::string level(int index, const std::string& format, const std::string& text,
                         const std::string& more = "<w:start w:val=\"1\"/>") {
  return "<w:lvl w:ilvl=\"" + std::to_string(index) + "\">" + more + "<w:numFmt w:val=\"" + format +
         "\"/><w:lvlText w:val=\"" + text + "\"/></w:lvl>";
}
inline std::string abstract(int id, const std::string& levels) {
  return "<w:abstractNum w:abstractNumId=\"" + std::to_string(id) + "\">" + levels +
         "</w:abstractNum>";
}
inline std::string list(int id, int abstract_id, const std::string& overrides = "") {
  return "<w:num w:numId=\"" + std::to_string(id) + "\"><w:abstractNumId w:val=\"" +
         std::to_string(abstract_id) + "\"/>" + overrides + "</w:num>";
}

}  // namespace whereof::testing

#endif  // WHEREOF_TESTS_DOCUMENT_SAMPLE_DOCX_H_
