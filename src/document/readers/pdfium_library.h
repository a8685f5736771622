// PDFium, loaded at run time: the functions that the PDF reader calls, with prototypes of our own
// after PDFium's public interface (fpdfview.h, fpdf_text.h, fpdf_edit.h, fpdf_doc.h, fpdf_annot.h).
//
// PDFium is not thread-safe; one object a process.
#ifndef WHEREOF_DOCUMENT_READERS_PDFIUM_LIBRARY_H_
#define WHEREOF_DOCUMENT_READERS_PDFIUM_LIBRARY_H_

#include <cstddef>
#include <filesystem>

#include "document/readers/stand_in_font.h"

namespace whereof::document {

struct PdfDocumentHandle;
struct PdfPageHandle;
struct PdfTextHandle;
struct PdfObjectHandle;
struct PdfBitmapHandle;
struct PdfAnnotationHandle;
struct PdfFormHandle;
struct PdfBookmarkHandle;
struct PdfDestinationHandle;
struct PdfSegmentHandle;

struct PdfRectangle {  // FS_RECTF: y grows upwards
  float left, top, right, bottom;
};

struct PdfMatrix {  // FS_MATRIX
  float a, b, c, d, e, f;
};

// FPDF_FORMFILLINFO: a version, then calls back to the program, all left out: nothing is run.
struct PdfFormInfo {
  int version = 2;
  void* calls[63] = {};
};

constexpr unsigned long kPdfErrorPassword = 4;
constexpr unsigned long kPdfErrorSecurity = 5;
constexpr int kPdfObjectPath = 2;
constexpr int kPdfObjectImage = 3;
constexpr int kPdfObjectShading = 4;
constexpr int kPdfObjectForm = 5;
constexpr int kPdfRenderInvisible = 3;
constexpr int kPdfRenderClip = 7;

class PdfiumLibrary {
 public:
  // Throws Error(unsupported) when the file cannot be loaded or lacks a function.
  explicit PdfiumLibrary(const std::filesystem::path& path);
  ~PdfiumLibrary();
  PdfiumLibrary(const PdfiumLibrary&) = delete;
  PdfiumLibrary& operator=(const PdfiumLibrary&) = delete;

  using Document = PdfDocumentHandle*;
  using Page = PdfPageHandle*;
  using Text = PdfTextHandle*;
  using Object = PdfObjectHandle*;
  using Bitmap = PdfBitmapHandle*;
  using Annotation = PdfAnnotationHandle*;
  using Form = PdfFormHandle*;
  using Segment = PdfSegmentHandle*;
  using Bookmark = PdfBookmarkHandle*;
  using Destination = PdfDestinationHandle*;

  void (*init_library)() = nullptr;
  void (*destroy_library)() = nullptr;
  void (*set_fonts)(PdfFontSource*) = nullptr;
  unsigned long (*get_last_error)() = nullptr;
  Document (*load_document)(const void* bytes, std::size_t size, const char* password) = nullptr;
  void (*close_document)(Document) = nullptr;
  int (*page_count)(Document) = nullptr;
  unsigned long (*page_label)(Document, int page, void* utf16, unsigned long bytes) = nullptr;

  Bookmark (*first_bookmark)(Document, Bookmark parent) = nullptr;  // null parent: the outline's
  Bookmark (*next_bookmark)(Document, Bookmark) = nullptr;
  unsigned long (*bookmark_title)(Bookmark, void* utf16, unsigned long bytes) = nullptr;
  Destination (*bookmark_destination)(Document, Bookmark) = nullptr;
  int (*destination_page)(Document, Destination) = nullptr;

  int (*form_type)(Document) = nullptr;  // 0: none
  Form (*open_form)(Document, PdfFormInfo*) = nullptr;
  void (*close_form)(Form) = nullptr;

  Page (*load_page)(Document, int index) = nullptr;
  void (*close_page)(Page) = nullptr;
  float (*page_width)(Page) = nullptr;
  float (*page_height)(Page) = nullptr;
  int (*page_bounds)(Page, PdfRectangle*) = nullptr;
  int (*page_rotation)(Page) = nullptr;
  int (*count_objects)(Page) = nullptr;
  Object (*page_object)(Page, int index) = nullptr;

  int (*object_type)(Object) = nullptr;
  int (*object_bounds)(Object, float* left, float* bottom, float* right, float* top) = nullptr;
  int (*object_fill_color)(Object, unsigned* r, unsigned* g, unsigned* b, unsigned* a) = nullptr;
  int (*object_matrix)(Object, PdfMatrix*) = nullptr;
  int (*path_draw_mode)(Object, int* fill_mode, int* is_stroked) = nullptr;
  int (*path_count_segments)(Object) = nullptr;
  Segment (*path_segment)(Object, int index) = nullptr;
  int (*segment_point)(Segment, float* x, float* y) = nullptr;
  int (*segment_type)(Segment) = nullptr;
  int (*segment_closes)(Segment) = nullptr;
  int (*form_count_objects)(Object) = nullptr;
  Object (*form_object)(Object, unsigned long index) = nullptr;
  int (*text_render_mode)(Object) = nullptr;

  Bitmap (*create_bitmap)(int width, int height, int format, void* pixels, int stride) = nullptr;
  void (*destroy_bitmap)(Bitmap) = nullptr;
  int (*fill_bitmap)(Bitmap, int left, int top, int width, int height,
                     unsigned long color) = nullptr;
  void (*render_page)(Bitmap, Page, int left, int top, int width, int height, int rotation,
                      int flags) = nullptr;

  int (*count_annotations)(Page) = nullptr;
  Annotation (*annotation)(Page, int index) = nullptr;
  void (*close_annotation)(Annotation) = nullptr;
  int (*annotation_subtype)(Annotation) = nullptr;
  int (*annotation_flags)(Annotation) = nullptr;
  int (*annotation_rectangle)(Annotation, PdfRectangle*) = nullptr;
  unsigned long (*annotation_string)(Annotation, const char* key, char16_t* out,
                                     unsigned long bytes) = nullptr;
  int (*field_type)(Form, Annotation) = nullptr;
  unsigned long (*field_name)(Form, Annotation, char16_t* out, unsigned long bytes) = nullptr;
  unsigned long (*field_shown_name)(Form, Annotation, char16_t* out, unsigned long bytes) = nullptr;
  unsigned long (*field_value)(Form, Annotation, char16_t* out, unsigned long bytes) = nullptr;

  Text (*load_text)(Page) = nullptr;
  void (*close_text)(Text) = nullptr;
  int (*count_characters)(Text) = nullptr;
  unsigned (*character)(Text, int index) = nullptr;
  int (*is_generated)(Text, int index) = nullptr;
  Object (*text_object)(Text, int index) = nullptr;
  double (*font_size)(Text, int index) = nullptr;
  int (*font_weight)(Text, int index) = nullptr;
  unsigned long (*font_info)(Text, int index, void* name, unsigned long bytes,
                             int* flags) = nullptr;
  int (*matrix)(Text, int index, PdfMatrix*) = nullptr;
  int (*loose_box)(Text, int index, PdfRectangle*) = nullptr;
  int (*origin)(Text, int index, double* x, double* y) = nullptr;

 private:
  void* handle_ = nullptr;
};

// The library to load: `named` if given, else $WHEREOF_PDFIUM, else the newest version in the
// cache folder (${XDG_CACHE_HOME:-~/.cache}/whereof/pdfium/VERSION/libpdfium.so).
// Throws Error(unsupported) when there is none.
std::filesystem::path find_pdfium(const std::filesystem::path& named);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PDFIUM_LIBRARY_H_
