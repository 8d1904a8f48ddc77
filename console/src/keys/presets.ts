// Sets of permissions for the usual kinds of keys.

import { defaultPermissions } from '../../../domain/permissions.ts'
import type { KeyKind } from '../api.ts'

export type PresetName = 'client' | 'server' | 'moderator' | 'analyst'

export interface Preset {
  readonly kind: KeyKind
  readonly permissions: readonly string[]
}

export const PRESETS: readonly PresetName[] = ['client', 'server', 'moderator', 'analyst']

/** What a preset grants in a game. None of them grants more than its name says. */
export function presetOf(name: PresetName, game: string): Preset {
  const own = (...areas: string[]) => areas.map((area) => `gm:${game}:${area}`)
  switch (name) {
    case 'client':
    case 'server':
      return { kind: name, permissions: defaultPermissions(name, game) }
    case 'moderator':
      return {
        kind: 'server',
        permissions: [
          ...own('details', 'boards', 'players', 'history', 'realtime'),
          'lb:*:details',
          'lb:*:scores',
          'score:*:details',
          'score:*:delete',
        ],
      }
    case 'analyst':
      return {
        kind: 'server',
        permissions: [...own('details', 'boards', 'history'), 'lb:*:details', 'lb:*:scores', 'score:*:details'],
      }
  }
}

/** Permissions as they are typed: separated by spaces or lines. */
export const permissionsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))]
