// The parsed content of EVENTSTORE_URL: addresses, user and certificates.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ChannelCredentialOptions } from '@eventstore/db-client'
import { StoresFault } from '../contract/faults.ts'
import { parseUrl, type ServerUrl, type UrlOptions } from './url.ts'

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

// Reads and checks the certificate files that EVENTSTORE_URL names before the client library sees them: an error
// names the file and what is wrong with it.

/** Throws a StoresFault with the file and the option if a file cannot be used. */
function readCredentials(options: UrlOptions): ChannelCredentialOptions {
  if (options.tls === false) return { insecure: true }
  const { tlsCAFile, userCertFile, userKeyFile } = options
  if ((userCertFile === undefined) !== (userKeyFile === undefined)) {
    throw new StoresFault('EVENTSTORE_URL needs userCertFile and userKeyFile together.')
  }
  const rootCertificate = tlsCAFile === undefined ? null : certificate('tlsCAFile', tlsCAFile)
  const user = userCertFile === undefined ? null : certificate('userCertFile', userCertFile)
  const key = userKeyFile === undefined ? null : privateKey(userKeyFile)
  return {
    insecure: false,
    ...(rootCertificate === null ? {} : { rootCertificate }),
    ...(user === null || key === null ? {} : { userCertFile: user, userKeyFile: key }),
  }
}

function certificate(option: string, path: string): Buffer {
  const bytes = read(option, path)
  const blocks = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  try {
    if (blocks === null) throw new Error('no PEM block')
    for (const block of blocks) new X509Certificate(block)
  } catch (cause) {
    throw fault(option, path, 'holds no certificate in PEM format (-----BEGIN CERTIFICATE-----)', cause)
  }
  return bytes
}

function privateKey(path: string): Buffer {
  const bytes = read('userKeyFile', path)
  try {
    createPrivateKey(bytes)
  } catch (cause) {
    throw fault('userKeyFile', path, 'holds no unencrypted private key in PEM format', cause)
  }
  return bytes
}

function read(option: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw fault(option, path, 'does not exist', cause)
    if (code === 'EISDIR') throw fault(option, path, 'is a folder, not a file', cause)
    throw fault(option, path, `cannot be read (${code ?? 'no reason given'})`, cause)
  }
}

const fault = (option: string, path: string, what: string, cause: unknown): StoresFault =>
  new StoresFault(`EVENTSTORE_URL: the file ${resolve(path)}, named by ${option}, ${what}.`, cause)
