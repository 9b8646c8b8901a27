#!/bin/sh
# Runs the Debian package under a systemd that is process 1, in the machine of systemd.py. Each line on the console is a fact
# that holds, or the first that does not.
export PATH=/usr/sbin:/usr/bin HOME=/opt DEBIAN_FRONTEND=noninteractive
exec > /dev/ttyS0 2>&1
unit=larder.service
port=8080 admin=9090

fact() {
    name=$1
    shift
    if "$@"; then
        echo "FACT $name"
    else
        systemctl status --no-pager --full $unit
        journalctl --no-pager -n 30 -o cat
        echo "FAULT $name"
        systemctl poweroff --force --force
    fi
}
until_so() {
    for _ in $(seq 240); do "$@" > /dev/null 2>&1 && return 0; sleep 0.5; done
    return 1
}
property() { systemctl show --property="$1" --value $unit; }
has() { [ "$(property "$1")" = "$2" ]; }
answers() { [ "$(curl -so /dev/null -w '%{http_code}' "http://127.0.0.1:$1")" = "$2" ]; }
status_of() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$(property MainPID)/status"; }
is_confined() {
    [ "$(status_of CapEff)" = 0000000000000000 ] && [ "$(status_of NoNewPrivs)" = 1 ] && [ "$(status_of Seccomp)" = 2 ] &&
        [ "$(status_of Uid | cut -f 1)" != 0 ]
}
is_another() { now=$(property MainPID); [ "$now" != 0 ] && [ "$now" != "$1" ] && answers $port/readyz 200; }
fault() { curl -s -X PUT "http://127.0.0.1:8081/_fault?mode=$1"; }
is_private() { [ -L /var/lib/larder ] && [ -s "$(ls /var/lib/private/larder/*.json | head -1)" ]; }
is_gone() { [ -z "$(find / -xdev -name '*larder*' -not -path '/var/log/*' -not -path '/var/lib/dpkg/*' -not -path '/opt/*' \
    -not -path '/var/cache/*')" ]; }

echo "FACT process 1 is $(cat /proc/1/comm) $(systemctl --version | sed -n '1s/[^ ]* \([0-9]*\).*/\1/p')"
fact "the package is installed" dpkg -i /opt/larder.deb
fact "nothing is started that has no upstream" has ActiveState inactive
systemd-run --quiet --unit=upstream larder upstream --listen 127.0.0.1:8081
until_so answers 8081/_fault 200
echo LARDER_UPSTREAM=127.0.0.1:8081 >> /etc/larder/environment
fact "it is enabled, and started when it says so" systemctl enable --quiet --now $unit
fact "it is ready" until_so answers $port/readyz 200
fact "it is no root, has no capability, gains none, and has its calls filtered" is_confined
fact "an order without the token is refused" sh -c "[ \$(curl -so /dev/null -w '%{http_code}' -X POST 127.0.0.1:$admin/refresh) = 401 ]"
fact "an order with it is carried out" larder refresh --admin 127.0.0.1:$admin --token-file /etc/larder/admin-token
fact "its state is its own" until_so is_private
before=$(property MainPID)
fact "it is reloaded" systemctl reload $unit
fact "by the process that was there" has MainPID "$before"
fact "which takes orders still" larder refresh --admin 127.0.0.1:$admin --token-file /etc/larder/admin-token
echo 'nonsense: true' >> /etc/larder/larder.yaml
fact "a bad config is refused" sh -c "! systemctl reload $unit"
fact "and served past" answers $port/readyz 200
sed -i '$d' /etc/larder/larder.yaml
fault down
fact "an upgrade starts the new program" dpkg -i /opt/newer.deb
fact "from its disk, while the upstream is away" until_so is_another "$before"
fault none
before=$(property MainPID)
kill -STOP "$before"
fact "a process that stands still is replaced" until_so is_another "$before"
kill -KILL "$(property MainPID)"
fact "one that is killed too" until_so is_another 0
began=$(date +%s)
systemctl stop $unit
took=$(($(date +%s) - began))
fact "it drains for $took s, and ends with 0" sh -c "[ $took -lt 25 ] && [ $(property ExecMainStatus) = 0 ] && [ $(property Result) = success ]"
fact "it is removed" dpkg --remove larder
fact "and not enabled any more" sh -c "! systemctl is-enabled $unit"
fact "it is purged" dpkg --purge larder
systemctl stop upstream
fact "and leaves nothing" is_gone
echo "FACT all"
systemctl poweroff --force --force
