/* What a client and a server without a library share: words of PDUs, and an end with a message. */
#pragma once

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char* what) {
  perror(what);
  exit(1);
}

static void put(char* at, uint32_t word) {
  word = htonl(word);
  memcpy(at, &word, sizeof word);
}

static uint32_t get(const char* at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return ntohl(word);
}
