// EPUB files for tests. They are zipped as DOCX files are, whose own parts nobody asks for.
#ifndef WHEREOF_TESTS_DOCUMENT_SAMPLE_EPUB_H_
#define WHEREOF_TESTS_DOCUMENT_SAMPLE_EPUB_H_

#include <string>

#include "document/sample_docx.h"

namespace whereof::testing {

class SampleEpub {
 public:
  SampleEpub() {
    part("META-INF/container.xml",
         "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"
         "<rootfile full-path='OEBPS/content.opf'/></rootfiles></container>");
  }
  SampleEpub& part(std::string name, std::string content) {
    zip_.part(std::move(name), std::move(content));
    return *this;
  }
  // A page of the spine; `href` as the manifest writes it.
  SampleEpub& page(const std::string& href, const std::string& name, std::string content,
                   const std::string& type = "application/xhtml+xml") {
    item(href, type);
    return part("OEBPS/" + name, std::move(content));
  }
  SampleEpub& page(const std::string& name, std::string content) {
    return page(name, name, std::move(content));
  }
  SampleEpub& item(const std::string& href, const std::string& type) {
    const std::string id = "i" + std::to_string(++items_);
    manifest_ += "<item id='" + id + "' href='" + href + "' media-type='" + type + "'/>";
    spine_ += "<itemref idref='" + id + "'/>";
    return *this;
  }
  std::string bytes() const {
    SampleDocx whole = zip_;
    whole.part("OEBPS/content.opf", "<package><manifest>" + manifest_ + "</manifest><spine>" +
                                        spine_ + "</spine></package>");
    return whole.bytes();
  }

 private:
  SampleDocx zip_;
  std::string manifest_, spine_;
  int items_ = 0;
};

}  // namespace whereof::testing

#endif  // WHEREOF_TESTS_DOCUMENT_SAMPLE_EPUB_H_
