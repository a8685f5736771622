// Pages that have no text, read from their picture: rendered by PDFium, recognised by tesseract in
// a process of its own, turned into characters with places like those of any other page.
#ifndef WHEREOF_DOCUMENT_READERS_TEXT_RECOGNITION_H_
#define WHEREOF_DOCUMENT_READERS_TEXT_RECOGNITION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/readers/pdf_page.h"
#include "document/readers/pdfium_library.h"

namespace whereof::document {

// What the recogniser is asked, and with which data it reads. Values are sent between processes.
enum class RecognitionRequest : std::uint32_t {
  languages,  // no picture: lists the data that is installed
  english,
  chinese,  // and the English words in it
};

// Runs tesseract; the reader knows it by this alone, since the reader may start no process.
class TextRecognizer {
 public:
  virtual ~TextRecognizer() = default;
  // What tesseract wrote of this picture (a PGM file): its table of words, one line each. Nothing
  // when it failed or its time was over.
  virtual std::optional<std::string> ask(RecognitionRequest request, std::string_view picture) = 0;
};

struct RecognizedPage {
  std::vector<Glyph> glyphs;  // each with its confidence; object counts words
  int confidence = -1;        // mean of the words, weighted by their characters; -1: no words
};

// The words of tesseract's table as characters: each word's box is divided among its characters,
// all words of a line stand on its baseline. points: of one pixel. Lines that do not have the form
// of the table are passed over; the table may come from a hostile picture.
RecognizedPage glyphs_of_table(std::string_view table, float points);

// Reads pages one after the other. English data is tried first and the page is read again with the
// Chinese when that is unsure; the language that did better comes first on the next page.
class PageRecognition {
 public:
  // recognizer: may be null, then nothing is read.
  PageRecognition(const PdfiumLibrary& pdfium, TextRecognizer* recognizer)
      : pdfium_(pdfium), recognizer_(recognizer) {}

  bool is_available();
  // Nothing when the page cannot be rendered or the recogniser failed on it.
  std::optional<RecognizedPage> read(PdfiumLibrary::Page page);
  // "tesseract eng, chi_sim".
  std::string description() const;

 private:
  std::optional<RecognizedPage> read_as(RecognitionRequest language, std::string_view picture,
                                        float points);

  const PdfiumLibrary& pdfium_;
  TextRecognizer* recognizer_;
  bool has_asked_ = false;
  bool has_english_ = false;
  bool has_chinese_ = false;
  bool chinese_first_ = false;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_TEXT_RECOGNITION_H_
