// The owner marker of a bucket, or of a prefix in it: an object beside the blobs.

import { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { OWNER_MARKER_MAX_BYTES, type OwnerMarker } from '../contract/files.ts'
import type { Address } from './address.ts'
import type { Call } from './client.ts'
import { faultOf, isMissing } from './faults.ts'

const NAME = 'owner'

/** Rejects with StoreUnavailable. */
export function bucketOwner(client: S3Client, { bucket, prefix }: Address, call: Call): OwnerMarker {
  const at = { Bucket: bucket, Key: prefix + NAME }
  const put = (text: string, condition: { readonly IfNoneMatch?: '*' }) => {
    const request = { ...at, Body: Buffer.from(text), ContentType: 'text/plain', ...condition }
    return call(async (abortSignal) => {
      await client.send(new PutObjectCommand(request), { abortSignal }).catch((failure: unknown) => {
        // 412: there is one. 409: another caller is creating it.
        const status = faultOf(failure)?.status ?? 0
        if (condition.IfNoneMatch === undefined || ![409, 412].includes(status)) throw failure
      })
    })
  }
  return {
    read: () =>
      call(async (abortSignal) => {
        try {
          const { Body: body, ContentLength: size = 0 } = await client.send(new GetObjectCommand(at), { abortSignal })
          if (size <= OWNER_MARKER_MAX_BYTES) return (await body?.transformToString()) ?? ''
          if (body instanceof Readable) body.destroy()
          return ''
        } catch (failure) {
          if (isMissing(failure)) return null
          throw failure
        }
      }),
    create: (text) => put(text, { IfNoneMatch: '*' }),
    replace: (text) => put(text, {}),
  }
}
