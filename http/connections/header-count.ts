// Whether a request has more headers than are allowed. A listener lets Node keep one more than that.

import type { IncomingMessage } from 'node:http'
import { HEADERS_MAX } from './limits.ts'

export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * HEADERS_MAX
