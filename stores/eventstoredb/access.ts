// Tracks which permissions the server currently denies. Each change is reported once, however many calls run into it.

import { AccessDenied } from './batch.ts'
import { denialIn } from './refusals.ts'
import type { Server } from './server.ts'

export type Right = 'readAll' | 'readStream' | 'append' | 'deleteStream' | 'readMetadata' | 'writeMetadata'

/** The missing permission, and where to grant it. */
const RIGHTS: Readonly<Record<Right, string>> = {
  readAll: 'read $all: add it to "$r" in the metadata of $all',
  readStream: 'read our streams: add it to "$r" of "$userStreamAcl" in $settings',
  append: 'append to our streams: add it to "$w" of "$userStreamAcl" in $settings',
  deleteStream: 'delete our streams: add it to "$d" of "$userStreamAcl" in $settings',
  readMetadata: 'read the metadata of our streams: add it to "$mr" of "$userStreamAcl" in $settings',
  writeMetadata: 'write the metadata of our streams: add it to "$mw" of "$userStreamAcl" in $settings',
}
const HOW = 'docs/servers.md has the two documents that grant all rights.'

/** The permissions of a stream. Stream metadata is a stream of its own. */
export function rightsOn(stream: string): { readonly read: Right; readonly append: Right } {
  const isMetadata = stream.startsWith('$$')
  return isMetadata ? { read: 'readMetadata', append: 'writeMetadata' } : { read: 'readStream', append: 'append' }
}

/** The missing permission, or that the user or password is wrong; null for any other error. */
export function denialText({ url, user, credentials }: Server, right: Right, error: unknown): string | null {
  const denial = error instanceof AccessDenied ? 'right' : denialIn(error)
  if (denial === null) return null
  if (denial === 'user') return `EventStoreDB at ${url.shown} refuses the user or password in EVENTSTORE_URL.`
  const isSent = user !== undefined && credentials.insecure !== true
  const who = isSent ? 'the user of EVENTSTORE_URL' : 'an anonymous user (EVENTSTORE_URL sends none)'
  return `EventStoreDB at ${url.shown} does not let ${who} ${RIGHTS[right]}. ${HOW}`
}

export interface Access {
  /** Call when a call that needs the permission failed. Returns the text if the permission was the cause. */
  failed(right: Right, error: unknown): string | null
  /** Call when a call that needs the permission succeeded. */
  succeeded(right: Right): void
  /** The text while the permission is denied; null if it is not known to be. */
  denied(right: Right): string | null
}

interface AccessWatch {
  /** Receives one message when a permission is first denied, and one when it is granted again. */
  readonly onChange?: (message: string) => void
  readonly onDenied?: (right: Right) => void
}

export function createAccess(server: Server, { onChange = () => {}, onDenied = () => {} }: AccessWatch): Access {
  const denied = new Map<Right, string>()
  const isKnown = (text: string): boolean => [...denied.values()].includes(text)

  function failed(right: Right, error: unknown): string | null {
    const text = denialText(server, right, error)
    if (text === null) return null
    onDenied(right)
    if (!isKnown(text)) onChange(text)
    denied.set(right, text)
    return text
  }

  function succeeded(right: Right): void {
    const text = denied.get(right)
    if (text === undefined) return
    denied.delete(right)
    if (!isKnown(text)) onChange(`EventStoreDB at ${server.url.shown} has granted again what it denied (${right}).`)
  }

  return { failed, succeeded, denied: (right) => denied.get(right) ?? null }
}
