// Parses S3_URL: the endpoint, the access key, and the bucket and prefix of the blobs. Messages never contain the
// key.

import { StoresFault } from '../contract/faults.ts'

export interface Address {
  /** Scheme, host and port for this process. */
  readonly endpoint: URL
  /** Scheme, host and port in links, if callers reach the store by another name. */
  readonly links: URL
  readonly bucket: string
  /** Prefix of our object names: empty, or a path that ends in `/`. */
  readonly prefix: string
  readonly region: string
  /** Whether the bucket is in the path; otherwise it is the first label of the host name. */
  readonly inPath: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Without the key, for messages. */
  readonly shown: string
}

const FORM =
  'S3_URL cannot be read: it must be https://access-key:secret@host[:port]/bucket[/prefix], with every ":/?#[]@%+" of ' +
  'the key and the secret percent-encoded, and of the options only ?region=, links= and style= after it'
const OPTIONS: readonly string[] = ['region', 'links', 'style']
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that never need encoding. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/
const REGION = /^[a-z0-9-]{1,64}$/
const AMAZON = /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/
const USUAL_REGION = 'us-east-1'

/** Throws a StoresFault without secret parts of the URL. */
export function addressOf(text: string): Address {
  const url = webAddress(text)
  if (url === null) throw new StoresFault(FORM)
  const { searchParams: options, pathname, username, password } = url
  const [, bucket = '', ...rest] = pathname.split('/')
  const prefix = rest.length === 0 || rest.at(-1) === '' ? rest.join('/') : `${rest.join('/')}/`
  const accessKeyId = decoded(username)
  const secretAccessKey = decoded(password)
  const style = options.get('style')
  const region = options.get('region') ?? AMAZON.exec(url.hostname)?.[1] ?? USUAL_REGION
  const links = webAddress(options.get('links') ?? url.origin)
  const isRead =
    [...options.keys()].every((name) => OPTIONS.includes(name)) &&
    (style === null || style === 'path' || style === 'host') &&
    accessKeyId !== '' &&
    secretAccessKey !== '' &&
    url.hash === '' &&
    BUCKET.test(bucket) &&
    PREFIX.test(prefix) &&
    REGION.test(region)
  if (!isRead || links === null || links.username !== '' || !/^\/?$/.test(links.pathname + links.search)) {
    throw new StoresFault(FORM)
  }
  const inPath = style === null ? !AMAZON.test(url.hostname) : style === 'path'
  const endpoint = new URL(url.origin)
  const shown = `${url.origin}/${bucket}${prefix === '' ? '' : `/${prefix}`}`
  return { endpoint, links, bucket, prefix, region, inPath, accessKeyId, secretAccessKey, shown }
}

/** The origin of the links that the file store answers. Throws a StoresFault as `addressOf` does. */
export function linksOrigin(text: string): string {
  const { links, bucket, inPath } = addressOf(text)
  return inPath ? links.origin : `${links.protocol}//${bucket}.${links.host}`
}

function webAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
