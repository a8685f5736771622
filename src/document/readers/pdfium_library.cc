#include "document/readers/pdfium_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "whereof/error.h"

namespace whereof::document {
namespace {

template <typename Function>
void resolve(void* handle, const char* name, Function& function) {
  void* const symbol = dlsym(handle, name);
  if (symbol == nullptr) {
    throw Error(ErrorKind::unsupported, std::string("PDFium: the library has no function ") + name);
  }
  function = reinterpret_cast<Function>(symbol);
}

void resolve_file(void* handle, PdfiumLibrary& library) {
  resolve(handle, "FPDF_InitLibrary", library.init_library);
  resolve(handle, "FPDF_DestroyLibrary", library.destroy_library);
  resolve(handle, "FPDF_GetLastError", library.get_last_error);
  resolve(handle, "FPDF_LoadMemDocument64", library.load_document);
  resolve(handle, "FPDF_CloseDocument", library.close_document);
  resolve(handle, "FPDF_GetPageCount", library.page_count);
  resolve(handle, "FPDF_GetPageLabel", library.page_label);
  resolve(handle, "FPDF_LoadPage", library.load_page);
  resolve(handle, "FPDF_ClosePage", library.close_page);
  resolve(handle, "FPDF_GetPageWidthF", library.page_width);
  resolve(handle, "FPDF_GetPageHeightF", library.page_height);
  resolve(handle, "FPDF_GetPageBoundingBox", library.page_bounds);
  resolve(handle, "FPDF_SetSystemFontInfo", library.set_fonts);
  resolve(handle, "FPDFBookmark_GetFirstChild", library.first_bookmark);
  resolve(handle, "FPDFBookmark_GetNextSibling", library.next_bookmark);
  resolve(handle, "FPDFBookmark_GetTitle", library.bookmark_title);
  resolve(handle, "FPDFBookmark_GetDest", library.bookmark_destination);
  resolve(handle, "FPDFDest_GetDestPageIndex", library.destination_page);
}

void resolve_objects(void* handle, PdfiumLibrary& library) {
  resolve(handle, "FPDFPage_GetRotation", library.page_rotation);
  resolve(handle, "FPDFPage_CountObjects", library.count_objects);
  resolve(handle, "FPDFPage_GetObject", library.page_object);
  resolve(handle, "FPDFPageObj_GetType", library.object_type);
  resolve(handle, "FPDFPageObj_GetBounds", library.object_bounds);
  resolve(handle, "FPDFPageObj_GetFillColor", library.object_fill_color);
  resolve(handle, "FPDFFormObj_CountObjects", library.form_count_objects);
  resolve(handle, "FPDFFormObj_GetObject", library.form_object);
  resolve(handle, "FPDFTextObj_GetTextRenderMode", library.text_render_mode);
  resolve(handle, "FPDFBitmap_CreateEx", library.create_bitmap);
  resolve(handle, "FPDFBitmap_Destroy", library.destroy_bitmap);
  resolve(handle, "FPDFBitmap_FillRect", library.fill_bitmap);
  resolve(handle, "FPDF_RenderPageBitmap", library.render_page);
  resolve(handle, "FPDFPageObj_GetMatrix", library.object_matrix);
  resolve(handle, "FPDFPath_GetDrawMode", library.path_draw_mode);
  resolve(handle, "FPDFPath_CountSegments", library.path_count_segments);
  resolve(handle, "FPDFPath_GetPathSegment", library.path_segment);
  resolve(handle, "FPDFPathSegment_GetPoint", library.segment_point);
  resolve(handle, "FPDFPathSegment_GetType", library.segment_type);
  resolve(handle, "FPDFPathSegment_GetClose", library.segment_closes);
}

void resolve_notes(void* handle, PdfiumLibrary& library) {
  resolve(handle, "FPDF_GetFormType", library.form_type);
  resolve(handle, "FPDFDOC_InitFormFillEnvironment", library.open_form);
  resolve(handle, "FPDFDOC_ExitFormFillEnvironment", library.close_form);
  resolve(handle, "FPDFPage_GetAnnotCount", library.count_annotations);
  resolve(handle, "FPDFPage_GetAnnot", library.annotation);
  resolve(handle, "FPDFPage_CloseAnnot", library.close_annotation);
  resolve(handle, "FPDFAnnot_GetSubtype", library.annotation_subtype);
  resolve(handle, "FPDFAnnot_GetFlags", library.annotation_flags);
  resolve(handle, "FPDFAnnot_GetRect", library.annotation_rectangle);
  resolve(handle, "FPDFAnnot_GetStringValue", library.annotation_string);
  resolve(handle, "FPDFAnnot_GetFormFieldType", library.field_type);
  resolve(handle, "FPDFAnnot_GetFormFieldName", library.field_name);
  resolve(handle, "FPDFAnnot_GetFormFieldAlternateName", library.field_shown_name);
  resolve(handle, "FPDFAnnot_GetFormFieldValue", library.field_value);
}

void resolve_text(void* handle, PdfiumLibrary& library) {
  resolve(handle, "FPDFText_LoadPage", library.load_text);
  resolve(handle, "FPDFText_ClosePage", library.close_text);
  resolve(handle, "FPDFText_CountChars", library.count_characters);
  resolve(handle, "FPDFText_GetUnicode", library.character);
  resolve(handle, "FPDFText_IsGenerated", library.is_generated);
  resolve(handle, "FPDFText_GetTextObject", library.text_object);
  resolve(handle, "FPDFText_GetFontSize", library.font_size);
  resolve(handle, "FPDFText_GetFontWeight", library.font_weight);
  resolve(handle, "FPDFText_GetFontInfo", library.font_info);
  resolve(handle, "FPDFText_GetMatrix", library.matrix);
  resolve(handle, "FPDFText_GetLooseCharBox", library.loose_box);
  resolve(handle, "FPDFText_GetCharOrigin", library.origin);
}

// "5.15.2" as numbers, so that 5.15 is newer than 5.9.
std::vector<int> version_numbers(const std::string& name) {
  std::vector<int> numbers;
  const char* at = name.data();
  const char* const end = at + name.size();
  while (at < end) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = std::max(next, at + 1);
  }
  return numbers;
}

std::filesystem::path cache_folder() {
  // An XDG path that is not absolute is to be ignored (XDG base directory specification).
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') return xdg;
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') {
    return std::filesystem::path(home) / ".cache";
  }
  return {};
}

}  // namespace

PdfiumLibrary::PdfiumLibrary(const std::filesystem::path& path) {
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* const reason = dlerror();
    throw Error(ErrorKind::unsupported, "PDFium: cannot load " + path.string() + ": " +
                                            (reason != nullptr ? reason : "unknown reason"));
  }
  resolve_file(handle_, *this);
  resolve_objects(handle_, *this);
  resolve_notes(handle_, *this);
  resolve_text(handle_, *this);
  init_library();
  set_fonts(stand_in_fonts());
}

// The handle stays open: PDFium's static objects may be used until the process ends.
PdfiumLibrary::~PdfiumLibrary() { destroy_library(); }

std::filesystem::path find_pdfium(const std::filesystem::path& named) {
  if (!named.empty()) return named;
  if (const char* path = std::getenv("WHEREOF_PDFIUM"); path != nullptr && path[0] != '\0') {
    return path;
  }
  const std::filesystem::path folder = cache_folder() / "whereof" / "pdfium";
  std::filesystem::path newest;
  std::vector<int> newest_version;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    std::filesystem::path candidate = entry->path() / "libpdfium.so";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(candidate, ignored)) continue;
    std::vector<int> version = version_numbers(entry->path().filename().string());
    if (!newest.empty() && version <= newest_version) continue;
    newest = std::move(candidate);
    newest_version = std::move(version);
  }
  if (newest.empty()) {
    throw Error(ErrorKind::unsupported,
                "PDF: PDFium is not installed (looked in " + folder.string() +
                    "; fetch it with tools/fetch.py pdfium, or name it in WHEREOF_PDFIUM)");
  }
  return newest;
}

}  // namespace whereof::document
