// Users and their rights on a secured server. A wrong password is refused differently from a missing right.

import type { Metadata, ServiceError } from '@grpc/grpc-js'
import { accessDenied, unauthenticated } from './refusals.ts'

/** `options`: to read the options of the server, as administrators may. */
export type Right =
  | 'readAll'
  | 'readStreams'
  | 'append'
  | 'deleteStreams'
  | 'readMetadata'
  | 'writeMetadata'
  | 'options'

/** The right to read or write a stream. The metadata of a stream are a stream with other rights. */
export function rightOn(stream: string | null, plain: 'readStreams' | 'append'): Right {
  if (stream?.startsWith('$$') !== true) return plain
  return plain === 'append' ? 'writeMetadata' : 'readMetadata'
}

export interface User {
  readonly password: string
  readonly rights: readonly Right[]
}

export class Access {
  readonly #users = new Map<string, { password: string; rights: Set<Right> }>()

  constructor(users: Readonly<Record<string, User>>) {
    for (const [name, { password, rights }] of Object.entries(users)) {
      this.#users.set(name, { password, rights: new Set(rights) })
    }
  }

  grant(name: string, right: Right): void {
    this.#users.get(name)?.rights.add(right)
  }

  withdraw(name: string, right: Right): void {
    this.#users.get(name)?.rights.delete(right)
  }

  /** Null if the caller has the right. */
  refusal(metadata: Metadata, right: Right): ServiceError | null {
    const header = metadata.get('authorization')[0]
    // Anonymous callers have no password and no rights.
    if (header === undefined) return accessDenied()
    const user = this.#user(String(header))
    if (user === null) return unauthenticated()
    return user.rights.has(right) ? null : accessDenied()
  }

  /** For plain HTTP: true if the caller with this `Authorization` header may read the options. */
  mayReadOptions(header: string | undefined): boolean {
    return header !== undefined && (this.#user(header)?.rights.has('options') ?? false)
  }

  #user(header: string): { readonly rights: ReadonlySet<Right> } | null {
    const text = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString('utf8')
    const at = text.indexOf(':')
    const user = this.#users.get(text.slice(0, at))
    return user !== undefined && user.password === text.slice(at + 1) ? user : null
  }
}
