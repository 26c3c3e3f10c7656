import type { Json } from './wire.ts'

/** Changes a body or a frame, or returns another one. */
export type Rewrite = (said: Json, of: { value: string }) => unknown

/** How figures are written: as recorded, or every one as a number, or every one as a text. */
export type FigureStyle = 'recorded' | 'numbers' | 'texts'

/** What becomes of bodies and frames before they are sent. */
export interface Writing {
  /** `kind`: the last part of a path, or the channel of a frame, such as `account_all`. */
  write(kind: string, value: string, said: Json): string
  rewrites(kind: string, rewrite: Rewrite | null): void
  figures(style: FigureStyle): void
}

export function createWriting(): Writing {
  const rewrites = new Map<string, Rewrite>()
  let style: FigureStyle = 'recorded'
  const figure = (_key: string, value: unknown) => {
    if (style === 'numbers' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
      return Number(value)
    return style === 'texts' && typeof value === 'number' ? String(value) : value
  }
  return {
    write(kind, value, said) {
      const rewritten = rewrites.get(kind)?.(said, { value }) ?? said
      return style === 'recorded' ? JSON.stringify(rewritten) : JSON.stringify(rewritten, figure)
    },
    rewrites(kind, rewrite) {
      if (rewrite) rewrites.set(kind, rewrite)
      else rewrites.delete(kind)
    },
    figures: (wanted) => void (style = wanted),
  }
}
