// Users and what each of them may do, as a secured server knows them: a wrong password is another refusal than a right
// that is missing.

import type { Metadata, ServiceError } from '@grpc/grpc-js'
import { accessDenied, unauthenticated } from './refusals.ts'

/** `options`: to read the options that the server runs with, as administrators may. */
export type Right =
  | 'readAll'
  | 'readStreams'
  | 'append'
  | 'deleteStreams'
  | 'readMetadata'
  | 'writeMetadata'
  | 'options'

/** To read or write a stream. For the metadata of a stream, which are a stream of their own, a server asks other rights. */
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

  /** Null where the caller has the right. */
  refusal(metadata: Metadata, right: Right): ServiceError | null {
    const header = metadata.get('authorization')[0]
    // Nobody in particular: that is no wrong password, and such callers have no rights.
    if (header === undefined) return accessDenied()
    const user = this.#user(String(header))
    if (user === null) return unauthenticated()
    return user.rights.has(right) ? null : accessDenied()
  }

  /** Of plain HTTP: whether the bearer of this `Authorization` header may read the options. */
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
