// Names of characters in HTML: those of HTML 4 (section 24), and of the later standard what
// stands for punctuation, fractions and letters with a caron. Sorted by their bytes.
#ifndef WHEREOF_DOCUMENT_READERS_HTML_REFERENCE_NAMES_H_
#define WHEREOF_DOCUMENT_READERS_HTML_REFERENCE_NAMES_H_

#include <cstddef>
#include <string_view>

namespace whereof::document {

struct NamedReference {
  std::string_view name;
  char32_t value;
  bool needs_no_semicolon = false;
};

constexpr std::size_t kLongestReferenceName = 21;
constexpr std::size_t kLongestLatin1Name = 6;

// clang-format off
constexpr NamedReference kNamedReferences[] = {
    {"AElig", 0xC6, true}, {"AMP", 0x26, true}, {"Aacute", 0xC1, true}, {"Acirc", 0xC2, true},
    {"Agrave", 0xC0, true}, {"Alpha", 0x391}, {"Aring", 0xC5, true}, {"Atilde", 0xC3, true},
    {"Auml", 0xC4, true}, {"Beta", 0x392}, {"COPY", 0xA9, true}, {"Ccaron", 0x10C},
    {"Ccedil", 0xC7, true}, {"Cedilla", 0xB8}, {"Chi", 0x3A7}, {"CloseCurlyDoubleQuote", 0x201D},
    {"CloseCurlyQuote", 0x2019}, {"Dagger", 0x2021}, {"Delta", 0x394}, {"ETH", 0xD0, true},
    {"Eacute", 0xC9, true}, {"Ecirc", 0xCA, true}, {"Egrave", 0xC8, true}, {"Epsilon", 0x395},
    {"Eta", 0x397}, {"Euml", 0xCB, true}, {"GT", 0x3E, true}, {"Gamma", 0x393}, {"Hat", 0x5E},
    {"Iacute", 0xCD, true}, {"Icirc", 0xCE, true}, {"Igrave", 0xCC, true}, {"Iota", 0x399},
    {"Iuml", 0xCF, true}, {"Kappa", 0x39A}, {"LT", 0x3C, true}, {"Lambda", 0x39B}, {"Mu", 0x39C},
    {"NewLine", 0xA}, {"NonBreakingSpace", 0xA0}, {"Ntilde", 0xD1, true}, {"Nu", 0x39D},
    {"OElig", 0x152}, {"Oacute", 0xD3, true}, {"Ocirc", 0xD4, true}, {"Ograve", 0xD2, true},
    {"Omega", 0x3A9}, {"Omicron", 0x39F}, {"OpenCurlyDoubleQuote", 0x201C},
    {"OpenCurlyQuote", 0x2018}, {"Oslash", 0xD8, true}, {"Otilde", 0xD5, true},
    {"Ouml", 0xD6, true}, {"Phi", 0x3A6}, {"Pi", 0x3A0}, {"Prime", 0x2033}, {"Psi", 0x3A8},
    {"QUOT", 0x22, true}, {"REG", 0xAE, true}, {"Rho", 0x3A1}, {"Scaron", 0x160}, {"Sigma", 0x3A3},
    {"THORN", 0xDE, true}, {"TRADE", 0x2122}, {"Tab", 0x9}, {"Tau", 0x3A4}, {"Theta", 0x398},
    {"Uacute", 0xDA, true}, {"Ucirc", 0xDB, true}, {"Ugrave", 0xD9, true}, {"Upsilon", 0x3A5},
    {"Uuml", 0xDC, true}, {"Xi", 0x39E}, {"Yacute", 0xDD, true}, {"Yuml", 0x178},
    {"Zcaron", 0x17D}, {"Zeta", 0x396}, {"aacute", 0xE1, true}, {"acirc", 0xE2, true},
    {"acute", 0xB4, true}, {"aelig", 0xE6, true}, {"agrave", 0xE0, true}, {"alefsym", 0x2135},
    {"alpha", 0x3B1}, {"amp", 0x26, true}, {"and", 0x2227}, {"ang", 0x2220}, {"apos", 0x27},
    {"approx", 0x2248}, {"aring", 0xE5, true}, {"ast", 0x2A}, {"asymp", 0x2248},
    {"atilde", 0xE3, true}, {"auml", 0xE4, true}, {"bdquo", 0x201E}, {"beta", 0x3B2},
    {"blacksquare", 0x25AA}, {"brvbar", 0xA6, true}, {"bsol", 0x5C}, {"bull", 0x2022},
    {"bullet", 0x2022}, {"cap", 0x2229}, {"caret", 0x2041}, {"ccaron", 0x10D},
    {"ccedil", 0xE7, true}, {"cedil", 0xB8, true}, {"cent", 0xA2, true}, {"centerdot", 0xB7},
    {"check", 0x2713}, {"chi", 0x3C7}, {"cir", 0x25CB}, {"circ", 0x2C6}, {"circledR", 0xAE},
    {"clubs", 0x2663}, {"colon", 0x3A}, {"comma", 0x2C}, {"commat", 0x40}, {"cong", 0x2245},
    {"copy", 0xA9, true}, {"copysr", 0x2117}, {"crarr", 0x21B5}, {"cross", 0x2717},
    {"cup", 0x222A}, {"curren", 0xA4, true}, {"dArr", 0x21D3}, {"dagger", 0x2020},
    {"darr", 0x2193}, {"dash", 0x2010}, {"deg", 0xB0, true}, {"delta", 0x3B4}, {"diams", 0x2666},
    {"div", 0xF7}, {"divide", 0xF7, true}, {"dollar", 0x24}, {"dot", 0x2D9},
    {"eacute", 0xE9, true}, {"ecirc", 0xEA, true}, {"egrave", 0xE8, true}, {"empty", 0x2205},
    {"emsp", 0x2003}, {"emsp13", 0x2004}, {"emsp14", 0x2005}, {"ensp", 0x2002}, {"epsilon", 0x3B5},
    {"equals", 0x3D}, {"equiv", 0x2261}, {"eta", 0x3B7}, {"eth", 0xF0, true}, {"euml", 0xEB, true},
    {"euro", 0x20AC}, {"excl", 0x21}, {"exist", 0x2203}, {"female", 0x2640}, {"ffilig", 0xFB03},
    {"fflig", 0xFB00}, {"filig", 0xFB01}, {"fllig", 0xFB02}, {"fnof", 0x192}, {"forall", 0x2200},
    {"frac12", 0xBD, true}, {"frac13", 0x2153}, {"frac14", 0xBC, true}, {"frac15", 0x2155},
    {"frac18", 0x215B}, {"frac23", 0x2154}, {"frac34", 0xBE, true}, {"frac38", 0x215C},
    {"frac58", 0x215D}, {"frac78", 0x215E}, {"frasl", 0x2044}, {"gamma", 0x3B3}, {"ge", 0x2265},
    {"geq", 0x2265}, {"grave", 0x60}, {"gt", 0x3E, true}, {"hArr", 0x21D4}, {"hairsp", 0x200A},
    {"harr", 0x2194}, {"hearts", 0x2665}, {"hellip", 0x2026}, {"horbar", 0x2015},
    {"hyphen", 0x2010}, {"iacute", 0xED, true}, {"icirc", 0xEE, true}, {"iexcl", 0xA1, true},
    {"igrave", 0xEC, true}, {"image", 0x2111}, {"incare", 0x2105}, {"infin", 0x221E},
    {"inodot", 0x131}, {"int", 0x222B}, {"iota", 0x3B9}, {"iquest", 0xBF, true}, {"isin", 0x2208},
    {"iuml", 0xEF, true}, {"kappa", 0x3BA}, {"lArr", 0x21D0}, {"lambda", 0x3BB}, {"lang", 0x2329},
    {"laquo", 0xAB, true}, {"larr", 0x2190}, {"lbrace", 0x7B}, {"lbrack", 0x5B}, {"lceil", 0x2308},
    {"lcub", 0x7B}, {"ldquo", 0x201C}, {"ldquor", 0x201E}, {"le", 0x2264}, {"leq", 0x2264},
    {"lfloor", 0x230A}, {"lowast", 0x2217}, {"lowbar", 0x5F}, {"loz", 0x25CA}, {"lpar", 0x28},
    {"lrm", 0x200E}, {"lsaquo", 0x2039}, {"lsqb", 0x5B}, {"lsquo", 0x2018}, {"lsquor", 0x201A},
    {"lt", 0x3C, true}, {"macr", 0xAF, true}, {"male", 0x2642}, {"mdash", 0x2014},
    {"micro", 0xB5, true}, {"midast", 0x2A}, {"middot", 0xB7, true}, {"minus", 0x2212},
    {"mldr", 0x2026}, {"mu", 0x3BC}, {"nabla", 0x2207}, {"nbsp", 0xA0, true}, {"ndash", 0x2013},
    {"ne", 0x2260}, {"ni", 0x220B}, {"nldr", 0x2025}, {"not", 0xAC, true}, {"notin", 0x2209},
    {"nsub", 0x2284}, {"ntilde", 0xF1, true}, {"nu", 0x3BD}, {"num", 0x23}, {"numero", 0x2116},
    {"numsp", 0x2007}, {"oacute", 0xF3, true}, {"ocirc", 0xF4, true}, {"oelig", 0x153},
    {"ograve", 0xF2, true}, {"ohm", 0x3A9}, {"oline", 0x203E}, {"omega", 0x3C9},
    {"omicron", 0x3BF}, {"oplus", 0x2295}, {"or", 0x2228}, {"ordf", 0xAA, true},
    {"ordm", 0xBA, true}, {"oslash", 0xF8, true}, {"otilde", 0xF5, true}, {"otimes", 0x2297},
    {"ouml", 0xF6, true}, {"para", 0xB6, true}, {"part", 0x2202}, {"percnt", 0x25},
    {"period", 0x2E}, {"permil", 0x2030}, {"perp", 0x22A5}, {"phi", 0x3C6}, {"phone", 0x260E},
    {"pi", 0x3C0}, {"piv", 0x3D6}, {"plus", 0x2B}, {"plusmn", 0xB1, true}, {"pound", 0xA3, true},
    {"prime", 0x2032}, {"prod", 0x220F}, {"prop", 0x221D}, {"psi", 0x3C8}, {"puncsp", 0x2008},
    {"quest", 0x3F}, {"quot", 0x22, true}, {"rArr", 0x21D2}, {"radic", 0x221A}, {"rang", 0x232A},
    {"raquo", 0xBB, true}, {"rarr", 0x2192}, {"rarrw", 0x219D}, {"rbrace", 0x7D}, {"rbrack", 0x5D},
    {"rceil", 0x2309}, {"rcub", 0x7D}, {"rdquo", 0x201D}, {"rdquor", 0x201D}, {"real", 0x211C},
    {"reg", 0xAE, true}, {"rfloor", 0x230B}, {"rho", 0x3C1}, {"rlm", 0x200F}, {"rpar", 0x29},
    {"rsaquo", 0x203A}, {"rsqb", 0x5D}, {"rsquo", 0x2019}, {"rsquor", 0x2019}, {"sbquo", 0x201A},
    {"scaron", 0x161}, {"sdot", 0x22C5}, {"sect", 0xA7, true}, {"semi", 0x3B},
    {"setminus", 0x2216}, {"shy", 0xAD, true}, {"sigma", 0x3C3}, {"sigmaf", 0x3C2},
    {"sim", 0x223C}, {"sol", 0x2F}, {"spades", 0x2660}, {"squ", 0x25A1}, {"square", 0x25A1},
    {"squf", 0x25AA}, {"star", 0x2606}, {"starf", 0x2605}, {"sub", 0x2282}, {"sube", 0x2286},
    {"sum", 0x2211}, {"sup", 0x2283}, {"sup1", 0xB9, true}, {"sup2", 0xB2, true},
    {"sup3", 0xB3, true}, {"supe", 0x2287}, {"szlig", 0xDF, true}, {"tau", 0x3C4},
    {"there4", 0x2234}, {"theta", 0x3B8}, {"thetasym", 0x3D1}, {"thinsp", 0x2009},
    {"thorn", 0xFE, true}, {"tilde", 0x2DC}, {"times", 0xD7, true}, {"trade", 0x2122},
    {"uArr", 0x21D1}, {"uacute", 0xFA, true}, {"uarr", 0x2191}, {"ucirc", 0xFB, true},
    {"ugrave", 0xF9, true}, {"uml", 0xA8, true}, {"upsih", 0x3D2}, {"upsilon", 0x3C5},
    {"uuml", 0xFC, true}, {"verbar", 0x7C}, {"vert", 0x7C}, {"weierp", 0x2118}, {"xi", 0x3BE},
    {"yacute", 0xFD, true}, {"yen", 0xA5, true}, {"yuml", 0xFF, true}, {"zcaron", 0x17E},
    {"zeta", 0x3B6}, {"zwj", 0x200D}, {"zwnj", 0x200C},
};
// clang-format on

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_REFERENCE_NAMES_H_
