#!/bin/sh
# The health check of the S3 server. It creates the user of S3_URL and its bucket where they are missing, and succeeds once
# both are there. The user owns that bucket, and can neither see nor create another one.
set -eu

admin() {
  versitygw admin --allow-insecure --endpoint-url http://127.0.0.1:9000 \
    --access "$ROOT_ACCESS_KEY_ID" --secret "$ROOT_SECRET_ACCESS_KEY" "$@"
}

if admin list-buckets | grep -qw scorebook-files; then exit 0; fi
admin list-users | grep -qw scorebook || admin create-user --access scorebook --secret "$S3_SECRET" --role user
admin create-bucket --owner scorebook --bucket scorebook-files
