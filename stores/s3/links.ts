// Presigned links. Everything that a link binds is signed, so the store itself refuses another method, length, type
// or checksum. It accepts an upload only if the object does not exist, so a link used twice changes nothing.

import type { S3Client } from '@aws-sdk/client-s3'
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner'
import { attachmentOf } from '../../runtime/attachment.ts'
import type { Expected, Offered, UploadLink } from '../contract/files.ts'
import type { Address } from './address.ts'

/**
 * Links are signed as of this long before their expiry. They depend on the expiry only, so a repeated call returns the
 * same link, and a store whose clock is slightly behind accepts it.
 */
const SIGNED_BEFORE_MS = 3_600_000

/** Types that browsers display without running them. All others are sent as binary data. */
const HARMLESS =
  /^(?:(?:audio|video|font)\/[\w.+-]+|image\/(?!svg)[\w.-]+|text\/(?:plain|csv)|application\/(?:json|zip|gzip))(?=$|[\s;])/i
const BYTES = 'application/octet-stream'

interface Links {
  put(name: string, expected: Expected, expiresMs: number): Promise<UploadLink>
  get(name: string, offered: Offered, expiresMs: number): Promise<string>
}

type Texts = Record<string, string>

export function createLinks({ config }: S3Client, { links, bucket, region, inPath }: Address): Links {
  const { credentials, sha256 } = config
  const presigner = new S3RequestPresigner({ credentials, sha256, region })
  const { protocol } = links
  const hostname = inPath ? links.hostname : `${bucket}.${links.hostname}`
  const port = links.port === '' ? {} : { port: Number(links.port) }

  const signed = async (method: string, name: string, headers: Texts, query: Texts, expiresMs: number) => {
    const path = inPath ? `/${bucket}/${name}` : `/${name}`
    const request = { method, protocol, hostname, ...port, path, headers: { ...headers }, query }
    const names = new Set(Object.keys(headers).map((header) => header.toLowerCase()))
    const presigned = await presigner.presign(request, {
      signingDate: new Date(expiresMs - SIGNED_BEFORE_MS),
      expiresIn: SIGNED_BEFORE_MS / 1_000,
      // Otherwise the type would not be signed, and the checksum would be in the query string, where it has no effect.
      signableHeaders: names,
      unhoistableHeaders: names,
    })
    const { host } = new URL(links.href)
    const at = inPath ? host : `${bucket}.${host}`
    const pairs = Object.entries(presigned.query ?? {}).map(
      ([key, value]) => `${encoded(key)}=${encoded(String(value))}`,
    )
    return `${protocol}//${at}${path}?${pairs.sort().join('&')}`
  }

  return {
    async put(name, { size, contentType, sha256: hex }, expiresMs) {
      const headers = {
        'Content-Type': contentType,
        'If-None-Match': '*',
        ...(hex === null ? {} : { 'x-amz-checksum-sha256': Buffer.from(hex, 'hex').toString('base64') }),
      }
      const url = await signed('PUT', name, { ...headers, 'Content-Length': String(size) }, {}, expiresMs)
      return { method: 'PUT', url, headers }
    },
    get(name, { name: savedAs, contentType }, expiresMs) {
      const query = {
        'response-cache-control': 'private, no-store',
        'response-content-disposition': attachmentOf(savedAs),
        'response-content-type': HARMLESS.test(contentType) ? contentType : BYTES,
      }
      return signed('GET', name, {}, query, expiresMs)
    },
  }
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
