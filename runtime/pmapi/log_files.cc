#include "runtime/pmapi/log_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "runtime/archive/format/label.h"
#include "runtime/archive/format/member.h"
#include "runtime/archive/writer/encode.h"
#include "runtime/pmapi/internal.h"

namespace pmjit {

namespace {

// A member that is not stored as it is, as a stream.
struct MemberStream {
  std::unique_ptr<File> file;
  uint64_t at = 0;
};

ssize_t read_member(void* cookie, char* out, size_t bytes) {
  auto& stream = *static_cast<MemberStream*>(cookie);
  const auto got = stream.file->read(stream.at, std::as_writable_bytes(std::span(out, bytes)));
  if (!got) return errno = EIO, -1;
  stream.at += *got;
  return static_cast<ssize_t>(*got);
}

int seek_member(void* cookie, off64_t* offset, int whence) {
  auto& stream = *static_cast<MemberStream*>(cookie);
  int64_t to = *offset;
  if (whence == SEEK_CUR) to += static_cast<int64_t>(stream.at);
  if (whence == SEEK_END) to += static_cast<int64_t>(stream.file->size());
  if (to < 0) return errno = EINVAL, -1;
  stream.at = static_cast<uint64_t>(to);
  *offset = to;
  return 0;
}

int close_member(void* cookie) {
  delete static_cast<MemberStream*>(cookie);
  return 0;
}

FILE* stream_of(std::unique_ptr<File> file) {
  auto stream = std::make_unique<MemberStream>(std::move(file));
  FILE* out = fopencookie(
      stream.get(), "r",
      {.read = read_member, .write = nullptr, .seek = seek_member, .close = close_member});
  if (out != nullptr) (void)stream.release();
  return out;
}

// The path of what is there: as it is, or with the suffix of a compression.
std::optional<std::string> stored_path(std::string path) {
  if (::access(path.c_str(), F_OK) == 0) return path;
  for (const CompressionSuffix& suffix : kCompressionSuffixes) {
    std::string packed = path + std::string(suffix.text);
    if (::access(packed.c_str(), F_OK) == 0) return packed;
  }
  errno = ENOENT;
  return std::nullopt;
}

bool is_packed(const std::string& path) {
  return take_apart(path).compression != Compression::none;
}

SharedFile* file_of(FILE* stream) {
  if (stream == nullptr) return nullptr;
  auto* out = static_cast<SharedFile*>(give_bytes(sizeof(SharedFile)));
  out->stream = stream;
  return out;
}

char* given_or_null(const std::string& text) { return text.empty() ? nullptr : give_text(text); }
std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

SharedFile* open_for_reading(const char* path) {
  const auto stored = stored_path(path);
  if (!stored) return nullptr;
  if (!is_packed(*stored)) return file_of(std::fopen(stored->c_str(), "re"));
  auto member = open_member(*stored);
  if (!member) return errno = EINVAL, nullptr;
  return file_of(stream_of(*std::move(member)));
}

int write_bytes(SharedFile* file, std::span<const std::byte> bytes) {
  if (file == nullptr) return 0;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file->stream) == bytes.size()) return 0;
  return errno == 0 ? -EIO : -errno;
}

void close_file(SharedFile*& file) {
  if (file == nullptr) return;
  (void)std::fclose(file->stream);
  std::free(std::exchange(file, nullptr));
}

}  // namespace pmjit

using namespace pmjit;

SharedFile* __pmFopen(const char* path, const char* mode) {
  if (path == nullptr || mode == nullptr) return errno = EINVAL, nullptr;
  return at_c_border_or<SharedFile*>(nullptr, [&] {
    return *mode == 'r' && std::strchr(mode, '+') == nullptr ? open_for_reading(path)
                                                             : file_of(std::fopen(path, mode));
  });
}

int __pmFclose(SharedFile* file) {
  if (file == nullptr) return EOF;
  const int sts = std::fclose(file->stream);
  std::free(file);
  return sts;
}

size_t __pmFread(void* out, size_t bytes, size_t count, SharedFile* file) {
  return out == nullptr || file == nullptr ? 0 : std::fread(out, bytes, count, file->stream);
}
int __pmFseek(SharedFile* file, long offset, int whence) {
  return file == nullptr ? -1 : std::fseek(file->stream, offset, whence);
}
long __pmFtell(SharedFile* file) { return file == nullptr ? -1 : std::ftell(file->stream); }
int __pmFeof(SharedFile* file) { return file == nullptr ? 0 : std::feof(file->stream); }
int __pmFerror(SharedFile* file) { return file == nullptr ? 0 : std::ferror(file->stream); }
int __pmFflush(SharedFile* file) { return file == nullptr ? EOF : std::fflush(file->stream); }
int __pmFileno(SharedFile* file) { return file == nullptr ? -1 : fileno(file->stream); }

// Of a compressed member: what it was before.
int __pmStat(const char* path, struct stat* out) {
  if (path == nullptr || out == nullptr) return errno = EFAULT, -1;
  return at_c_border_or<int>(-1, [&] {
    const auto stored = stored_path(path);
    if (!stored || ::stat(stored->c_str(), out) != 0) return -1;
    if (is_packed(*stored) && *stored != path) {
      auto member = open_member(*stored);
      if (!member) return errno = EINVAL, -1;
      out->st_size = static_cast<off_t>((*member)->size());
    }
    return 0;
  });
}

// BASE.meta, BASE.index or BASE.N; what is there stays.
SharedFile* __pmLogNewFile(const char* base, int volume) {
  if (base == nullptr) return errno = EINVAL, nullptr;
  return at_c_border_or<SharedFile*>(nullptr, [&]() -> SharedFile* {
    const std::string suffix = volume == kMetaVolume    ? "meta"
                               : volume == kIndexVolume ? "index"
                                                        : fmt::format("{}", volume);
    const std::string path = fmt::format("{}.{}", base, suffix);
    if (::access(path.c_str(), R_OK) == 0) {
      pmprintf("__pmLogNewFile: \"%s\" already exists, not over-written\n", path.c_str());
      pmflush();
      return errno = EEXIST, nullptr;
    }
    SharedFile* out = file_of(std::fopen(path.c_str(), "we"));
    if (out == nullptr) {
      const int error = errno;
      pmprintf("__pmLogNewFile: failed to create \"%s\": %s\n", path.c_str(), pmErrStr(-error));
      pmflush();
      errno = error;
    }
    return out;
  });
}

int __pmLogWriteLabel(SharedFile* file, const SharedLabel* label) {
  if (file == nullptr || label == nullptr) return -EINVAL;
  return at_c_border([&] {
    return write_bytes(file,
                       encode_label({.version = is_version_3(*label) ? Version::v3 : Version::v2,
                                     .start = start_of(*label),
                                     .host = text_or_empty(label->host),
                                     .pid = label->pid,
                                     .timezone = text_or_empty(label->timezone),
                                     .zoneinfo = text_or_empty(label->zoneinfo),
                                     .features = label->features},
                                    label->volume));
  });
}

// The first record of a file, of whichever kind.
int __pmLogLoadLabel(SharedFile* file, SharedLabel* out) {
  if (file == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    std::byte bytes[label_bytes(Version::v3)];
    (void)std::fseek(file->stream, 0, SEEK_SET);
    const size_t got = std::fread(bytes, 1, sizeof bytes, file->stream);
    std::clearerr(file->stream);
    if (got < label_bytes(Version::v2)) return PM_ERR_LABEL;
    const bool is_3 = std::to_integer<int>(bytes[7]) == PM_LOG_VERS03;
    const size_t stamp = stamp_bytes(is_3 ? Version::v3 : Version::v2);
    const auto volume = static_cast<int32_t>(load_be<uint32_t>(bytes + 12 + stamp));
    const auto label = read_label({bytes, got}, volume, Features::any);
    if (!label) return PM_ERR_LABEL;
    *out = {.magic = PM_LOG_MAGIC | static_cast<int>(label->version),
            .pid = label->pid,
            .start = {label->start.sec, label->start.nsec},
            .volume = label->volume,
            .features = label->features,
            .host = given_or_null(label->host),
            .timezone = given_or_null(label->timezone),
            .zoneinfo = given_or_null(label->zoneinfo)};
    (void)std::fseek(file->stream, static_cast<long>(label_bytes(label->version)), SEEK_SET);
    return 0;
  });
}

size_t __pmLogLabelSize(const SharedLog* log) {
  if (log == nullptr) return 0;
  return label_bytes(is_version_3(log->label) ? Version::v3 : Version::v2);
}
