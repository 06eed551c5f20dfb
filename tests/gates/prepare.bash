# What gates begin with; each sources it from the top of the checkout.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Install Debian packages, if any are named.
install_packages() {
    (($#)) || return 0
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# The wheel under test: the one that the caller built, or one of the checkout.
wheel=${FAIRREPORT_WHEEL:-}
if [[ -z $wheel ]]; then
    python -m hatchling build -t wheel -d "$work/dist" >/dev/null
    wheel=$(echo "$work"/dist/fairreport-*.whl)
fi
