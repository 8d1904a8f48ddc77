import { texts } from './texts.ts'
import { setTheme, THEMES, type Theme, theme } from './theme.ts'

/** Chooses the colors of the console in this browser. */
export function ThemeField() {
  return (
    <label class="theme">
      <span>{texts.theme.label}</span>
      <select value={theme.value} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {texts.theme[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
