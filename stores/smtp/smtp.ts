// Mail by SMTP, to the server that SMTP_URL names: `smtp://user:password@host:587?from=game@example.com`, or `smtps://`
// for implicit TLS. Credentials are sent to other machines only over TLS.

import type { CodeMail, Mail } from '../contract/mail.ts'
import { createOutbox, MailRefused, messageOf, type OutboxOptions } from './outbox.ts'

const CONNECT_MS = 10_000
const SOCKET_IDLE_MS = 20_000
const LOOPBACK = /^(localhost|127(?:\.\d+){3}|\[::1\])$/

interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Implicit TLS. */
  readonly secure: boolean
  /** Requires STARTTLS. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
  readonly from: string
}

/** Parses SMTP_URL. Throws a TypeError that does not contain the URL. */
export function smtpServerOf(text: string, fromHost: string): SmtpServer {
  const url = new URL(text)
  const { protocol, hostname, username, password, searchParams } = url
  if (!/^smtps?:$/.test(protocol) || hostname === '') throw new TypeError('not an SMTP URL')
  const secure = protocol === 'smtps:'
  const auth = username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && auth !== null && !LOOPBACK.test(hostname),
    auth,
    from:
      searchParams.get('from') ??
      `no-reply@${/[a-z]/i.test(fromHost) && !fromHost.includes(':') ? fromHost : 'localhost'}`,
  }
}

/** The library is loaded here: a process without SMTP_URL never needs its 3 MiB. */
export async function createSmtpMail(
  server: SmtpServer,
  options: Omit<OutboxOptions, 'deliver' | 'end'>,
): Promise<Mail> {
  const { createTransport } = await import('nodemailer')
  const { auth, from, ...connection } = server
  const transport = createTransport({
    ...connection,
    ...(auth === null ? {} : { auth }),
    pool: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SOCKET_IDLE_MS,
    // Mail contents never refer to files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const deliver = async (mail: CodeMail) => {
    const { to, subject, text } = messageOf(mail)
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } catch (error) {
      throw isPermanent(error) ? new MailRefused(error) : error
    }
  }
  return createOutbox({ ...options, deliver, end: () => transport.close() })
}

/** A 5yz reply is a permanent rejection (RFC 5321, 4.2.1). */
function isPermanent(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'responseCode') : undefined
  return typeof code === 'number' && code >= 500 && code < 600
}
