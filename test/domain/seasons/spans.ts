// The zones and years in which boundaries of seasons are compared with the oracle.

import type { Span } from './compare-boundaries.ts'

/** Years with clock changes of every kind that zones have had since 2000. */
export const UNUSUAL: readonly Span[] = [
  // Half an hour.
  { zone: 'Australia/Lord_Howe', from: 2026, until: 2027 },
  // 30 December 2011 was skipped.
  { zone: 'Pacific/Apia', from: 2011, until: 2012 },
  // Back for Ramadan: four changes a year.
  { zone: 'Africa/Casablanca', from: 2019, until: 2020 },
  // Two hours.
  { zone: 'Antarctica/Troll', from: 2026, until: 2027 },
  // 2:45 becomes 3:45.
  { zone: 'Pacific/Chatham', from: 2026, until: 2027 },
  // Midnight is skipped.
  { zone: 'America/Havana', from: 2026, until: 2027 },
  { zone: 'Asia/Beirut', from: 2026, until: 2027 },
  { zone: 'America/Santiago', from: 2026, until: 2027 },
  { zone: 'Africa/Cairo', from: 2014, until: 2015 },
  // The standard time changed, by half an hour and by more.
  { zone: 'Asia/Pyongyang', from: 2015, until: 2016 },
  { zone: 'America/Caracas', from: 2016, until: 2017 },
  { zone: 'Europe/Volgograd', from: 2018, until: 2019 },
]

/** Ten years of thirty zones, with the rules that tzdata has for the years to come. */
export const THIRTY_ZONES: readonly Span[] = [
  'UTC',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Johannesburg',
  'America/Caracas',
  'America/Godthab',
  'America/Havana',
  'America/Los_Angeles',
  'America/New_York',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Scoresbysund',
  'America/St_Johns',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Amman',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Asia/Katmandu',
  'Asia/Tehran',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
].map((zone) => ({ zone, from: 2019, until: 2029 }))
