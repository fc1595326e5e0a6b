// Hash tables as PCP's own programs keep them, and as they walk through those of an archive. How a
// table grows shows in what they print, so it is libpcp's.
#include <vector>

#include "runtime/pmapi/internal.h"

using namespace pmjit;

namespace {

int next_size(int size) {
  int out = size * 2;
  if (out % 2 != 0) out += 1;
  if (out % 3 != 0) out += 2;
  if (out % 5 != 0) out += 2;
  return out;
}

SharedHashNode*& chain_of(SharedHash& table, unsigned key) {
  return table.table[key % static_cast<unsigned>(table.size)];
}

void push(SharedHash& table, SharedHashNode* node) {
  SharedHashNode*& head = chain_of(table, node->key);
  node->next = head;
  head = node;
}

[[nodiscard]] bool allocate(SharedHash& table, int size) {
  auto* chains =
      static_cast<SharedHashNode**>(std::calloc(static_cast<size_t>(size), sizeof(void*)));
  if (chains == nullptr) return false;
  table.table = chains;
  table.size = size;
  return true;
}

// Chains are moved from the last to the first.
[[nodiscard]] bool grow(SharedHash& table) {
  SharedHashNode** old = table.table;
  const int old_size = table.size;
  if (!allocate(table, next_size(old_size))) return false;
  for (int i = old_size; i-- > 0;) {
    for (SharedHashNode* node = old[i]; node != nullptr;) {
      SharedHashNode* next = node->next;
      push(table, node);
      node = next;
    }
  }
  std::free(old);
  return true;
}

}  // namespace

// 1: it is there. Keys may be there more than once; the newest is found.
int __pmHashAdd(unsigned key, void* data, SharedHash* table) {
  if (table == nullptr) return -EINVAL;
  auto* node = static_cast<SharedHashNode*>(std::malloc(sizeof(SharedHashNode)));
  if (node == nullptr) return -ENOMEM;
  const bool is_full = table->size > 0 && (table->nodes + 1) / 4 > table->size;
  if ((table->size == 0 && !allocate(*table, 1)) || (is_full && !grow(*table))) {
    std::free(node);
    return -ENOMEM;
  }
  *node = {.next = nullptr, .key = key, .data = data};
  push(*table, node);
  ++table->nodes;
  return 1;
}

SharedHashNode* __pmHashSearch(unsigned key, SharedHash* table) {
  if (table == nullptr || table->size == 0) return nullptr;
  SharedHashNode* node = chain_of(*table, key);
  while (node != nullptr && node->key != key) node = node->next;
  return node;
}

// 1: that node with that data is gone.
int __pmHashDel(unsigned key, void* data, SharedHash* table) {
  if (table == nullptr || table->size == 0) return 0;
  for (SharedHashNode** at = &chain_of(*table, key); *at != nullptr; at = &(*at)->next) {
    SharedHashNode* node = *at;
    if (node->key != key || node->data != data) continue;
    *at = node->next;
    std::free(node);
    --table->nodes;
    return 1;
  }
  return 0;
}
