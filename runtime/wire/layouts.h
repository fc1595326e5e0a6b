// The layout of every PDU behind its header, once: walk(io, message) reads, writes or prints it, as
// `io` does (pdu_reader.h, codec.cc, message_text.cc). So a message cannot be read in another way
// than it is written. Source: spec wire-protocol.md §5; offsets there count from the header.
//
//   io.number("context", message.context)     a field of the type's size
//   io.zeros(8)                               reserved
//   io.counted("name", message.name)          length, text, padding
//   io.count(name, vector, bytes, least)      how many elements follow, of at least so many bytes
//
// For codec.cc and message_text.cc alone; everybody else includes codec.h.
#pragma once

#include <concepts>
#include <type_traits>

#include "runtime/base/limits.h"
#include "runtime/wire/messages.h"

namespace pmjit::wire {

// Readers change what they walk, the others walk constants.
template <class M, class T>
concept Of = std::same_as<std::remove_const_t<M>, T>;

void walk(auto& io, Of<ErrorMessage> auto& m) {
  io.error_code(m.code, m.hello);
  if (!m.hello) return;
  io.number("version", m.hello->version);
  io.number("licensed", m.hello->licensed);
  io.features("features", m.hello->features);
}

void walk(auto& io, Of<ResultMessage> auto& m) {
  io.number("seconds", m.seconds);
  io.number("microseconds", m.microseconds);
  io.sets(m.sets);
}

void walk(auto& io, Of<HighresResultMessage> auto& m) {
  io.sets_behind(m.sets, [&](auto& inner) {
    inner.number("seconds", m.seconds);
    inner.number("nanoseconds", m.nanoseconds);
  });
}

void walk(auto& io, Of<ProfileMessage> auto& m) {
  io.number("context", m.context);
  io.require(m.context >= 0, "the context is negative");
  io.flag("excludes", m.excludes);
  io.count("domains", m.domains, 16, 0);
  io.zeros(4);
  io.elements("domains", m.domains, 16, [&](auto& domain) {
    io.indom("domain", domain.indom);
    io.flag("excludes", domain.excludes);
    io.count("instances", domain.instances, 4, 0);
    io.zeros(4);
  });
  for (auto& domain : m.domains) {
    io.elements("instances of a domain", domain.instances, 4,
                [&](auto& instance) { io.number("instance", instance); });
  }
}

void walk_fetch(auto& io, auto& m) {
  io.number("context", m.context);
  io.zeros(8);
  io.pmids("metrics", m.pmids, 1);
}
void walk(auto& io, Of<FetchRequest> auto& m) { walk_fetch(io, m); }
void walk(auto& io, Of<HighresFetchRequest> auto& m) { walk_fetch(io, m); }

void walk(auto& io, Of<DescRequest> auto& m) { io.pmid("metric", m.pmid); }
void walk(auto& io, Of<DescMessage> auto& m) { io.desc(m.desc); }

void walk(auto& io, Of<DescsRequest> auto& m) {
  io.constant("status", -1);
  io.pmids("metrics", m.pmids, 1);
}
void walk(auto& io, Of<DescsMessage> auto& m) {
  io.list("descriptors", m.descs, 20, 0, [&](auto& desc) { io.desc(desc); });
}

void walk(auto& io, Of<InstanceRequest> auto& m) {
  io.indom("domain", m.indom);
  io.zeros(8);
  io.number("instance", m.instance);
  io.counted("name", m.name);
}
void walk(auto& io, Of<InstanceMessage> auto& m) {
  io.indom("domain", m.indom);
  io.list("instances", m.instances, 8, 0, [&](auto& named) {
    io.number("instance", named.instance);
    io.counted("name", named.name);
  });
}

void walk(auto& io, Of<TextRequest> auto& m) {
  io.hex("ident", m.ident);
  io.hex("kind", m.kind);
}
void walk(auto& io, Of<TextMessage> auto& m) {
  io.hex("ident", m.ident);
  io.counted("text", m.text);
}

void walk(auto& io, Of<CredsMessage> auto& m) {
  io.list("credentials", m.credentials, 4, 1, [&](auto& credential) {
    io.number("type", credential.type);
    io.number("version", credential.version);
    io.features("wishes", credential.wishes);
  });
  io.require(m.credentials.size() <= limits::kCredentialsMax, "there are too many credentials");
}

void walk(auto& io, Of<IdsMessage> auto& m) {
  io.number("resolved", m.resolved);
  io.pmids("metrics", m.pmids, 0);
}

void walk(auto& io, Of<NamesMessage> auto& m) {
  io.names_head(m);
  io.elements("names", m.names, 4, [&](auto& one) {
    if (m.with_status) io.number("status", one.status);
    io.counted("name", one.name);
  });
  io.names_end(m);
}

void walk_name(auto& io, auto& m) {
  io.number("subtype", m.subtype);
  io.counted("name", m.name);
}
void walk(auto& io, Of<ChildRequest> auto& m) { walk_name(io, m); }
void walk(auto& io, Of<TraverseRequest> auto& m) { walk_name(io, m); }

void walk(auto& io, Of<AttributeMessage> auto& m) {
  io.number("attribute", m.code);
  io.rest("value", m.value);
  io.require(m.value.size() <= limits::kAttributeBytesMax, "the value is too long");
}

void walk(auto& io, Of<LabelRequest> auto& m) {
  io.hex("ident", m.ident);
  io.hex("type", m.type);
}
void walk(auto& io, Of<LabelMessage> auto& m) {
  io.hex("ident", m.ident);
  io.hex("type", m.type);
  io.zeros(4);
  io.label_sets(m.sets);
}
void walk_place(auto& io, auto& place) {
  io.number("name at", place.name_at);
  io.number("bytes", place.name_bytes);
  io.hex("flags", place.flags);
  io.number("value at", place.value_at);
  io.number("bytes", place.value_bytes);
}

void walk(auto& io, Of<LogControlMessage> auto& m) {
  io.number("control", m.control);
  io.number("state", m.state);
  io.number("delta ms", m.delta_ms);
  io.list("metrics", m.metrics, 8, 0, [&](auto& metric) {
    io.pmid("metric", metric.pmid);
    io.list("instances", metric.instances, 8, 0, [&](auto& one) {
      io.number("instance", one.instance);
      io.number("value", one.value);
    });
  });
}
void walk(auto& io, Of<LogStatusV2Message> auto& m) { io.rest("bytes", m.bytes); }
void walk(auto& io, Of<LogRequest> auto& m) { io.number("what", m.what); }

void walk(auto& io, Of<LogStatusMessage> auto& m) {
  for (auto* stamp : {&m.start, &m.last, &m.now}) {
    io.number("seconds", stamp->seconds);
    io.number("nanoseconds", stamp->nanoseconds);
  }
  io.number("state", m.state);
  io.number("volume", m.volume);
  io.number("size", m.size);
  io.texts(m.texts);
}

}  // namespace pmjit::wire
