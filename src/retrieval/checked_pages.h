// A checksum in every page of the library file, so that damage at rest is found, not believed.
//
// SQLite leaves the last kChecksumBytes of each page to us (its "reserved space"). A layer between
// SQLite and the operating system (a VFS) fills them when a page is written to the database file
// and compares them when one is read; a page that does not fit is SQLITE_IOERR_DATA. The log (WAL)
// has SQLite's own checksums, checked when it is replayed.
//
//     h = offset of the page;  for each 64-bit word w:  h = (h xor w) * odd constant;  h ^= h >> 32
//
// Every step is one-to-one, so any damage within one word is found with certainty, other damage
// with probability 1 - 2^-64. It protects against accidents, not against someone who recomputes it.
#ifndef WHEREOF_RETRIEVAL_CHECKED_PAGES_H_
#define WHEREOF_RETRIEVAL_CHECKED_PAGES_H_

#include <sqlite3.h>

namespace whereof::retrieval {

constexpr int kPageBytes = 4096;
constexpr int kChecksumBytes = 8;

// Name of the VFS for sqlite3_open_v2; registered at the first call, over the VFS that is the
// default then. Any thread. Throws Error(out_of_memory).
const char* checked_pages_vfs();

// Has a new database leave room for the checksums; no change to one that exists. Call right after
// opening. Returns SQLite's code.
int reserve_checksum_bytes(sqlite3* connection);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_CHECKED_PAGES_H_
