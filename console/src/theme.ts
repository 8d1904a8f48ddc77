// Light or dark: as the person chose in this browser, or as the system has it.

import { computed, effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEPT = 'scorebook-console-theme'

/** What the person chose. */
export const theme = signal<Theme>(THEMES.find((one) => one === localStorage.getItem(KEPT)) ?? 'system')

const system = matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = signal(system.matches)
system.addEventListener('change', () => {
  isSystemDark.value = system.matches
})

/** The colors that are shown. Drawings on a canvas have to be made again when it changes. */
export const colorScheme = computed<'light' | 'dark'>(() =>
  theme.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : theme.value,
)

effect(() => {
  document.documentElement.dataset.theme = colorScheme.value
})

export function setTheme(to: Theme): void {
  theme.value = to
  if (to === 'system') localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, to)
}
