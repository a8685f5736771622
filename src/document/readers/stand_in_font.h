// The font that stands in for Chinese, Japanese and Korean fonts which a PDF names but does not
// hold.
//
// PDFium drops all text in such a font when it finds none to show it with, and the reader may open
// no file of the system's. Reading needs no shapes, so a font whose glyphs are all one
// square will do; places and widths come from the PDF. So what is read does not depend on the fonts
// that are installed.
#ifndef WHEREOF_DOCUMENT_READERS_STAND_IN_FONT_H_
#define WHEREOF_DOCUMENT_READERS_STAND_IN_FONT_H_

namespace whereof::document {

// FPDF_SYSFONTINFO, version 1: how PDFium asks for fonts.
struct PdfFontSource {
  int version = 1;
  void (*release)(PdfFontSource*) = nullptr;
  void (*enumerate)(PdfFontSource*, void* mapper) = nullptr;
  void* (*map)(PdfFontSource*, int weight, int is_italic, int charset, int pitch_family,
               const char* face, int* is_exact) = nullptr;
  void* (*get)(PdfFontSource*, const char* face) = nullptr;
  unsigned long (*data)(PdfFontSource*, void* font, unsigned table, unsigned char* out,
                        unsigned long bytes) = nullptr;
  unsigned long (*face_name)(PdfFontSource*, void* font, char* out, unsigned long bytes) = nullptr;
  int (*charset)(PdfFontSource*, void* font) = nullptr;
  void (*remove)(PdfFontSource*, void* font) = nullptr;
};

// Offers the stand-in and nothing else. The same object each time, never destroyed.
PdfFontSource* stand_in_fonts();

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_STAND_IN_FONT_H_
