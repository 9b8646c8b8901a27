#!/bin/sh
# Writes the users, with the hash of the password, and becomes the server. The user of the replicas may touch keys and
# channels of larder alone; nobody gets in without a password. INFO shows whether memory is full, and the policy then.
set -eu
hash=$(printf %s "$(cat /run/secrets/redis/password)" | sha256sum | cut -d ' ' -f 1)
cat >/run/redis/users.acl <<END
user default off
user larder on #$hash ~larder:* &larder:* -@all +ping +select +client|setname +subscribe +publish +pubsub|numsub +eval +evalsha +time +type +del +set +getrange +strlen +pttl +hget +hset +hmget +hdel +hrandfield +sadd +srem +srandmember +lpush +lpop +lindex +lrange +ltrim +info
END
exec valkey-server /etc/redis/redis.conf --aclfile /run/redis/users.acl "$@"
