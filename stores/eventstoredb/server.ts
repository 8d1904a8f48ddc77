// The parsed content of EVENTSTORE_URL: addresses, user and certificates.

import type { ChannelCredentialOptions } from '@eventstore/db-client'
import { readCredentials } from './certificates.ts'
import { parseUrl, type ServerUrl } from './url.ts'

export interface Server {
  readonly url: ServerUrl
  readonly credentials: ChannelCredentialOptions
  readonly user: { username: string; password: string } | undefined
}

/** Throws a StoresFault if the URL, or a file that it names, cannot be used. */
export function parseServer(text: string): Server {
  const url = parseUrl(text)
  return { url, credentials: readCredentials(url.options), user: url.user === null ? undefined : { ...url.user } }
}
