// Which events people cause, as against the steps that the service takes after them.

import type { GameEvent } from '../api.ts'
import { texts } from '../texts.ts'

/** The types, in the order of the menu. */
export const PEOPLE_TYPES = Object.keys(texts.history.people) as readonly PeopleType[]

export type PeopleType = keyof typeof texts.history.people

export const isPeopleType = (type: string): type is PeopleType => type in texts.history.people

export const isByPeople = ({ type, meta }: GameEvent): boolean => isPeopleType(type) && typeof meta.actor === 'string'

export const textIn = (fields: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}
