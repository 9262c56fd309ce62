// A program into which nothing can be preloaded.
#include <cstdio>

int main() {
  std::puts("static");
  return 5;
}
