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
  resolve(handle_, "FPDF_InitLibrary", init_library);
  resolve(handle_, "FPDF_DestroyLibrary", destroy_library);
  resolve(handle_, "FPDF_GetLastError", get_last_error);
  resolve(handle_, "FPDF_LoadMemDocument64", load_document);
  resolve(handle_, "FPDF_CloseDocument", close_document);
  resolve(handle_, "FPDF_GetPageCount", page_count);
  resolve(handle_, "FPDF_GetPageLabel", page_label);
  resolve(handle_, "FPDF_LoadPage", load_page);
  resolve(handle_, "FPDF_ClosePage", close_page);
  resolve(handle_, "FPDF_GetPageWidthF", page_width);
  resolve(handle_, "FPDF_GetPageHeightF", page_height);
  resolve(handle_, "FPDF_GetPageBoundingBox", page_bounds);
  resolve(handle_, "FPDFPage_GetRotation", page_rotation);
  resolve(handle_, "FPDFPage_CountObjects", count_objects);
  resolve(handle_, "FPDFPage_GetObject", page_object);
  resolve(handle_, "FPDFPageObj_GetType", object_type);
  resolve(handle_, "FPDFPageObj_GetBounds", object_bounds);
  resolve(handle_, "FPDFPageObj_GetFillColor", object_fill_color);
  resolve(handle_, "FPDFFormObj_CountObjects", form_count_objects);
  resolve(handle_, "FPDFFormObj_GetObject", form_object);
  resolve(handle_, "FPDFTextObj_GetTextRenderMode", text_render_mode);
  resolve(handle_, "FPDFBitmap_CreateEx", create_bitmap);
  resolve(handle_, "FPDFBitmap_Destroy", destroy_bitmap);
  resolve(handle_, "FPDFBitmap_FillRect", fill_bitmap);
  resolve(handle_, "FPDF_RenderPageBitmap", render_page);
  resolve(handle_, "FPDF_SetSystemFontInfo", set_fonts);
  resolve(handle_, "FPDFPageObj_GetMatrix", object_matrix);
  resolve(handle_, "FPDFPath_GetDrawMode", path_draw_mode);
  resolve(handle_, "FPDFPath_CountSegments", path_count_segments);
  resolve(handle_, "FPDFPath_GetPathSegment", path_segment);
  resolve(handle_, "FPDFPathSegment_GetPoint", segment_point);
  resolve(handle_, "FPDFPathSegment_GetType", segment_type);
  resolve(handle_, "FPDFPathSegment_GetClose", segment_closes);
  resolve(handle_, "FPDFBookmark_GetFirstChild", first_bookmark);
  resolve(handle_, "FPDFBookmark_GetNextSibling", next_bookmark);
  resolve(handle_, "FPDFBookmark_GetTitle", bookmark_title);
  resolve(handle_, "FPDFBookmark_GetDest", bookmark_destination);
  resolve(handle_, "FPDFDest_GetDestPageIndex", destination_page);
  resolve(handle_, "FPDF_GetFormType", form_type);
  resolve(handle_, "FPDFDOC_InitFormFillEnvironment", open_form);
  resolve(handle_, "FPDFDOC_ExitFormFillEnvironment", close_form);
  resolve(handle_, "FPDFPage_GetAnnotCount", count_annotations);
  resolve(handle_, "FPDFPage_GetAnnot", annotation);
  resolve(handle_, "FPDFPage_CloseAnnot", close_annotation);
  resolve(handle_, "FPDFAnnot_GetSubtype", annotation_subtype);
  resolve(handle_, "FPDFAnnot_GetFlags", annotation_flags);
  resolve(handle_, "FPDFAnnot_GetRect", annotation_rectangle);
  resolve(handle_, "FPDFAnnot_GetStringValue", annotation_string);
  resolve(handle_, "FPDFAnnot_GetFormFieldType", field_type);
  resolve(handle_, "FPDFAnnot_IsChecked", field_is_checked);
  resolve(handle_, "FPDFAnnot_GetFormFieldName", field_name);
  resolve(handle_, "FPDFAnnot_GetFormFieldAlternateName", field_shown_name);
  resolve(handle_, "FPDFAnnot_GetFormFieldValue", field_value);
  resolve(handle_, "FPDFText_LoadPage", load_text);
  resolve(handle_, "FPDFText_ClosePage", close_text);
  resolve(handle_, "FPDFText_CountChars", count_characters);
  resolve(handle_, "FPDFText_GetUnicode", character);
  resolve(handle_, "FPDFText_IsGenerated", is_generated);
  resolve(handle_, "FPDFText_GetTextObject", text_object);
  resolve(handle_, "FPDFText_GetFontSize", font_size);
  resolve(handle_, "FPDFText_GetFontWeight", font_weight);
  resolve(handle_, "FPDFText_GetFontInfo", font_info);
  resolve(handle_, "FPDFText_GetMatrix", matrix);
  resolve(handle_, "FPDFText_GetLooseCharBox", loose_box);
  resolve(handle_, "FPDFText_GetCharOrigin", origin);
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
