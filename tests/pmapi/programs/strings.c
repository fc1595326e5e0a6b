/* Texts into rooms of every size, and words of a stream. */
#include "program.h"

static void rooms(void) {
  static const char* words[] = {"", "a", "hello", "hello there, how are you"};
  char room[12];
  size_t i, size;
  for (i = 0; i < 4; ++i) {
    for (size = 1; size <= sizeof room; ++size) {
      int sts;
      memset(room, 'z', sizeof room);
      sts = pmsprintf(room, size, "%s", words[i]);
      printf("%zu %d <%s>", size, sts, room);
      sts = pmstrncpy(room, size, words[i]);
      printf(" %d <%s>", sts, room);
      sts = pmstrncat(room, size, "-more");
      printf(" %d <%s>\n", sts, room);
    }
    printf("%zu\n", pmstrlen(words[i]));
  }
  printf("%zu %d\n", pmstrlen(NULL), pmsprintf(room, 0, "x"));
  SHOW(pmsprintf(room, sizeof room, "%d %5.2f", 3, 2.5));
}

static void words_of(const char* text) {
  FILE* stream = fmemopen((void*)text, strlen(text), "r");
  char* word = NULL;
  ssize_t size;
  int i;
  for (i = 0; i < 12; ++i) {
    size = pmfstring(stream, &word);
    printf("%zd", size);
    if (size > 0) {
      printf(" <%s>", word);
      free(word);
    }
    printf("\n");
    if (size < 0) break;
  }
  fclose(stream);
}

int main(void) {
  rooms();
  words_of("one two  three\tfour\nfive\n\nsix");
  words_of(" \n x");
  words_of("end\n");
  return 0;
}
