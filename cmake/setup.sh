# Shell functions shared by demo.sh and test.sh: what must be installed, and how.
#
#   . cmake/setup.sh
#   install_packages build test     # groups of cmake/packages.txt
#
# Only what is missing is installed, so that a second run costs milliseconds and needs no network.

say() { printf '\n== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else
    echo "not root, and there is no sudo: cannot run $*" >&2
    return 1
  fi
}

# missing_packages PACKAGE…: those that dpkg does not know as installed.
missing_packages() {
  for package in "$@"; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) echo "$package" ;;
    esac
  done
}

# packages_of GROUP…
packages_of() {
  for group in "$@"; do
    awk -v group="$group" '$1 == group { print $2 }' cmake/packages.txt
  done
}

install_packages() {
  # Package names hold no blanks: splitting is wanted.
  # shellcheck disable=SC2046
  missing=$(missing_packages $(packages_of "$@"))
  [ -z "$missing" ] && return 0
  say "installing" $missing
  as_root apt-get update -qq
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends $missing
}
