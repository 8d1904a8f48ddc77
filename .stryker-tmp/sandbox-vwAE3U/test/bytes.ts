// Bytes as tests name them: their digest, and an id such as a blob has.

import { createHash, randomBytes } from 'node:crypto'
import { idText } from '../credentials/text.ts'

export const newId = (): string => idText(randomBytes(15))
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
