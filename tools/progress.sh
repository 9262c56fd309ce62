# To be sourced: how the scripts show what they do.

# step TEXT: a heading with the time that has passed.
step() { printf '\n=== %s (%d min %02d s)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

# Copies stdin, but of the lines that only count on ("[7/90] …" of ninja, "7/90 Test …  Passed" and
# "Start 7: …" of ctest, the packages of pip and apt) one in ten seconds.
condense() {
  local line due=0
  while IFS= read -r line; do
    case $line in
      '['[0-9]*/[0-9]*']'* | *' Passed '*sec | *Start\ [0-9]* | \
        Collecting\ * | '  Downloading '* | \
        Get:* | Hit:* | Selecting\ * | Preparing\ * | Unpacking\ * | Setting\ up\ *)
        ((SECONDS >= due)) || continue
        due=$((SECONDS + 10))
        line=${line:0:110}
        ;;
    esac
    printf '%s\n' "$line"
  done
}
