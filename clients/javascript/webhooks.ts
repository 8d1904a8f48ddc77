// Verifies messages of webhooks, as Standard Webhooks 1.0 signs them: with the webhook's secret (`v1`) or its public
// key (`v1a`). Servers of this version send no webhooks yet.

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The message is not genuine, or too old; answer it with 400. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WebhookError'
  }
}

/** A message may be this much older or newer than this clock: a captured one cannot be sent again later. */
const TOLERANCE_SECONDS = 300
const PUBLIC_KEY_BYTES = 32

/**
 * Verifies a message of a webhook; servers of this version send none yet. Resolves with the parsed message if one of
 * its signatures is of this secret (`whsec_…`) or public key (`whpk_…`). Rejects with WebhookError otherwise, and with
 * TypeError for a key of another form.
 * @param body as received: parsed and serialised again, it has other bytes
 */
export async function verifyMessage<Message = unknown>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secretOrPublicKey: string,
): Promise<Message> {
  const verifier = await verifierOf(secretOrPublicKey)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const sent = headerOf(headers, 'webhook-signature')
  checkTime(timestamp)
  const text = typeof body === 'string' ? body : decoded(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const one of sent.split(' ')) {
    const [version, signature = '', ...rest] = one.split(',')
    if (version !== verifier.version || rest.length > 0) continue
    const bytes = bytesOf(signature)
    // WebCrypto compares in constant time.
    if (bytes !== null && (await verifier.verify(bytes, signed))) return parsed<Message>(text)
  }
  throw new WebhookError(`No ${verifier.version} signature of the message is of this key.`)
}

type Bytes = Uint8Array<ArrayBuffer>

interface Verifier {
  readonly version: 'v1' | 'v1a'
  verify(signature: Bytes, signed: Bytes): Promise<boolean>
}

async function verifierOf(key: string): Promise<Verifier> {
  const { subtle } = crypto
  const bytes = bytesOf(key.replace(/^wh(?:sec|pk)_/, ''))
  if (key.startsWith('whsec_') && bytes !== null && bytes.length > 0) {
    const secret = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    return { version: 'v1', verify: (signature, signed) => subtle.verify('HMAC', secret, signature, signed) }
  }
  if (key.startsWith('whpk_') && bytes?.length === PUBLIC_KEY_BYTES) {
    const publicKey = await subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify'])
    return { version: 'v1a', verify: (signature, signed) => subtle.verify('Ed25519', publicKey, signature, signed) }
  }
  throw new TypeError('A secret begins with whsec_, a public key with whpk_, and base64 follows.')
}

function checkTime(timestamp: string): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a time in seconds.')
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(timestamp)
  if (ageSeconds > TOLERANCE_SECONDS) throw new WebhookError(`The message is ${ageSeconds} s old.`)
  if (ageSeconds < -TOLERANCE_SECONDS) throw new WebhookError(`The message is ${-ageSeconds} s ahead of this clock.`)
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : recordValue(headers, name)
  if (value === null || value === '') throw new WebhookError(`The header ${name} is missing.`)
  return value
}

function recordValue(headers: Exclude<WebhookHeaders, Headers>, name: string): string | null {
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
  if (values.length > 1) throw new WebhookError(`The header ${name} occurs more than once.`)
  return values[0] ?? null
}

function decoded(body: Uint8Array): string {
  try {
    // A byte order mark is part of what was signed.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new WebhookError('The body is not UTF-8.')
  }
}

function parsed<Message>(text: string): Message {
  try {
    return JSON.parse(text) as Message
  } catch {
    throw new WebhookError('The body is signed, but is not JSON.')
  }
}

function bytesOf(base64: string): Bytes | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
