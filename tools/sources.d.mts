export function sourcesIn(folder: string): string[]
