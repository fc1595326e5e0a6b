/* What a collector costs at least: an epoll loop that answers any fetch with one and the same
 * result. tests/shown/collector_cost prints what it costs beside ours and pmcd.
 *
 *   floor_server PORT VALUES            a result of one metric with that many values
 *   floor_server PORT VALUES agent      it gets the result from another process, over two pipes
 *
 * It greets, reads any PDU, and answers those that are FETCH. A client's request is whole when it
 * is read, as raw_client sends it. Pieces of one end the program.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/pmapi/pdu_words.h"

enum { HEAD = 12, GREETING = 20, FETCH = 0x7003, RESULT = 0x7001, ERROR = 0x7000 };
enum { EVENTS = 64, REQUESTS_MAX = 1 << 16, VALUES_MAX = 1 << 18, BACKLOG = 1024 };

static char requests[REQUESTS_MAX], from_agent[HEAD + 28 + 8 * VALUES_MAX];
static char* result;
static size_t result_bytes;

static void write_all(int fd, const char* from, size_t size) {
  while (size > 0) {
    const ssize_t sent = write(fd, from, size);
    if (sent <= 0) stop("write");
    from += sent;
    size -= (size_t)sent;
  }
}

static void read_all(int fd, char* to, size_t size) {
  while (size > 0) {
    const ssize_t got = read(fd, to, size);
    if (got <= 0) stop("read");
    to += got;
    size -= (size_t)got;
  }
}

/* One metric, its values in place. */
static void make_result(uint32_t values) {
  uint32_t i;
  result_bytes = HEAD + 24 + 8 * (size_t)values;
  result = calloc(1, result_bytes);
  if (result == NULL) stop("calloc");
  put(result, (uint32_t)result_bytes);
  put(result + 4, RESULT);
  put(result + HEAD + 8, 1); /* behind a time of 0 */
  put(result + HEAD + 16, values);
  for (i = 0; i < values; ++i) put(result + HEAD + 24 + 8 * i, i);
}

/* The other process: it reads a request and writes the result, ever again. */
static void start_agent(int* to, int* from) {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) stop("pipe");
  if (fork() == 0) {
    close(there[1]), close(back[0]);
    while (read(there[0], requests, sizeof requests) > 0) write_all(back[1], result, result_bytes);
    exit(0);
  }
  close(there[0]), close(back[1]);
  *to = there[1];
  *from = back[0];
}

static int listens(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (fd < 0 || bind(fd, (struct sockaddr*)&at, sizeof at) != 0 || listen(fd, BACKLOG) != 0)
    stop("listen");
  return fd;
}

static void watch(int epoll, int fd) {
  struct epoll_event about = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &about) != 0) stop("epoll_ctl");
}

static void welcome(int epoll, int listening) {
  const int fd = accept(listening, NULL, NULL), yes = 1;
  char greeting[GREETING] = {0};
  if (fd < 0) stop("accept");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  put(greeting, GREETING);
  put(greeting + 4, ERROR);
  greeting[16] = 2, greeting[17] = 1; /* version 2, licensed */
  write_all(fd, greeting, sizeof greeting);
  watch(epoll, fd);
}

int main(int argc, char** argv) {
  int to_agent = -1, agent = -1, listening, epoll;
  struct epoll_event events[EVENTS];
  if (argc < 3 || atoi(argv[2]) < 0 || atoi(argv[2]) > VALUES_MAX) {
    fprintf(stderr, "usage: floor_server PORT VALUES [agent]\n");
    return 2;
  }
  make_result((uint32_t)atoi(argv[2]));
  if (argc > 3) start_agent(&to_agent, &agent);
  listening = listens(atoi(argv[1]));
  epoll = epoll_create1(0);
  watch(epoll, listening);
  for (;;) {
    const int count = epoll_wait(epoll, events, EVENTS, -1);
    int i;
    for (i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      ssize_t got;
      const char* at = requests;
      if (fd == listening) {
        welcome(epoll, listening);
        continue;
      }
      got = recv(fd, requests, sizeof requests, 0);
      if (got <= 0) {
        close(fd);
        continue;
      }
      for (; got >= HEAD && get(at) >= HEAD && get(at) <= (size_t)got;
           got -= get(at), at += get(at)) {
        if (get(at + 4) != FETCH) continue;
        if (agent >= 0) {
          write_all(to_agent, at, get(at));
          read_all(agent, from_agent, result_bytes);
        }
        write_all(fd, agent >= 0 ? from_agent : result, result_bytes);
      }
      if (got != 0) stop("half a request");
    }
  }
}
