#!/bin/sh
# Writes the users, with the hash of the password, and becomes the server. The user of the replicas may touch keys and
# channels of larder alone, by the commands that a replica sends, and by INFO, which shows whether memory is full; nobody
# gets in without a password.
set -eu
hash=$(printf %s "$(cat /run/secrets/redis/password)" | sha256sum | cut -d ' ' -f 1)
cat >/run/redis/users.acl <<END
user default off
user larder on #$hash resetchannels -@all ~larder:* &larder:* +ping +select +client|setname +eval +evalsha \
  +subscribe +publish +pubsub|numsub +time +type +del +set +getrange +strlen +pttl +hget +hset +hmget +hdel +hrandfield \
  +sadd +srem +srandmember +lpush +lpop +lindex +lrange +ltrim +info
END
exec valkey-server /etc/redis/redis.conf --aclfile /run/redis/users.acl "$@"
