/* A client of a collector that costs next to nothing, so that what is measured is the collector:
 * tests/shown/collector_cost runs it.
 *
 *   raw_client fetch PORT CONNECTIONS ROUNDS PMID…   each connection fetches once a round
 *   raw_client connect PORT COUNT PMID               connect, fetch, leave; one after the other
 *   raw_client burst PORT COUNT PMID                 all connect at once, then each fetches
 *
 * It prints the seconds that the fetches took, and the bytes of the last answer.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/pmapi/pdu_words.h"

enum { HEAD = 12, CREDS = 0x700C, PROFILE = 0x7002, FETCH = 0x7003, RESULT = 0x7001 };
enum { PMIDS_MAX = 16, ANSWER_MAX = 1 << 22 };

static char answer[ANSWER_MAX];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void send_all(int fd, const char* from, size_t size) {
  while (size > 0) {
    const ssize_t sent = send(fd, from, size, MSG_NOSIGNAL);
    if (sent <= 0) stop("send");
    from += sent;
    size -= (size_t)sent;
  }
}

/* One PDU; its length. A part of the next one is never there: the collector only answers. */
static size_t receive(int fd) {
  size_t have = 0, wanted = HEAD;
  while (have < wanted) {
    const ssize_t got = recv(fd, answer + have, ANSWER_MAX - have, 0);
    if (got <= 0) stop("recv");
    have += (size_t)got;
    if (have >= HEAD) wanted = get(answer);
    if (wanted > ANSWER_MAX) stop("an answer that is too long");
  }
  return have;
}

static int start(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || connect(fd, (struct sockaddr*)&to, sizeof to) != 0) stop("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return fd;
}

/* Its greeting is taken; all instances are wanted. */
static void introduce(int fd) {
  char out[HEAD + 8 + HEAD + 16];
  memset(out, 0, sizeof out);
  (void)receive(fd);
  put(out, HEAD + 8);
  put(out + 4, CREDS);
  put(out + HEAD, 1);
  out[HEAD + 4] = 1, out[HEAD + 5] = 2; /* CVERSION, PDU version 2 */
  put(out + HEAD + 8, HEAD + 16);
  put(out + HEAD + 12, PROFILE);
  send_all(fd, out, sizeof out);
}

struct request {
  char bytes[HEAD + 16 + 4 * PMIDS_MAX];
  size_t size;
};

static struct request request_for(char** pmids, int count) {
  struct request out;
  int i;
  memset(&out, 0, sizeof out);
  if (count > PMIDS_MAX) stop("too many metrics");
  out.size = HEAD + 16 + 4 * (size_t)count;
  put(out.bytes, (uint32_t)out.size);
  put(out.bytes + 4, FETCH);
  put(out.bytes + HEAD + 12, (uint32_t)count);
  for (i = 0; i < count; ++i)
    put(out.bytes + HEAD + 16 + 4 * i, (uint32_t)strtoul(pmids[i], NULL, 10));
  return out;
}

/* What is no result ends the program: nothing else is measured. */
static size_t take_result(int fd) {
  size_t size = receive(fd);
  while (get(answer + 4) != RESULT) {
    if (get(answer + 4) != 0x7000 || (int32_t)get(answer + HEAD) < 0) {
      fprintf(stderr, "raw_client: PDU %x\n", get(answer + 4));
      exit(1);
    }
    size = receive(fd); /* a change of state comes before the result */
  }
  return size;
}

int main(int argc, char** argv) {
  size_t bytes = 0;
  double began;
  if (argc >= 6 && strcmp(argv[1], "fetch") == 0) {
    const int port = atoi(argv[2]), count = atoi(argv[3]), rounds = atoi(argv[4]);
    const struct request fetch = request_for(argv + 5, argc - 5);
    int* fds = calloc((size_t)count, sizeof *fds);
    int i, round;
    if (fds == NULL) stop("calloc");
    for (i = 0; i < count; ++i) introduce(fds[i] = start(port));
    began = seconds();
    for (round = 0; round < rounds; ++round) {
      for (i = 0; i < count; ++i) send_all(fds[i], fetch.bytes, fetch.size);
      for (i = 0; i < count; ++i) bytes = take_result(fds[i]);
    }
    printf("%.6f %zu\n", seconds() - began, bytes);
    fflush(stdout);
    if (getenv("RAW_CLIENT_STAYS") != NULL) (void)getchar();
    free(fds);
    return 0;
  }
  if (argc == 5 && (strcmp(argv[1], "connect") == 0 || strcmp(argv[1], "burst") == 0)) {
    const int burst = argv[1][0] == 'b', port = atoi(argv[2]), count = atoi(argv[3]);
    const struct request fetch = request_for(argv + 4, 1);
    int* fds = calloc((size_t)count, sizeof *fds);
    int i;
    if (fds == NULL) stop("calloc");
    began = seconds();
    for (i = 0; burst && i < count; ++i) fds[i] = start(port);
    for (i = 0; i < count; ++i) {
      const int fd = burst ? fds[i] : start(port);
      introduce(fd);
      send_all(fd, fetch.bytes, fetch.size);
      bytes = take_result(fd);
      if (!burst) close(fd);
    }
    printf("%.6f %zu\n", seconds() - began, bytes);
    free(fds);
    return 0;
  }
  fprintf(stderr, "usage: raw_client fetch|connect|burst PORT …\n");
  return 2;
}
