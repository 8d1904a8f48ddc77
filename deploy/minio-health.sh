#!/bin/sh
# MinIO's health check: makes the bucket and the program's user where they are not there yet, and is content once they are.
set -eu
export MC_CONFIG_DIR=/tmp/mc
export MC_HOST_here="http://$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD@127.0.0.1:9000"
if mc admin user info here scorebook >/dev/null 2>&1 && mc ls here/scorebook-files >/dev/null 2>&1; then
  exec mc ready here
fi
mc mb --ignore-existing here/scorebook-files
mc admin policy create here scorebook /minio-policy.json
mc admin user add here scorebook "$S3_SECRET"
mc admin policy attach here scorebook --user scorebook
mc ready here
