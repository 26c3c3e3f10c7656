import { type Part, PARTS } from './state.ts'

/** Words behind the `#` of the address. */
export interface Fragment {
  code: string | null
  initData: string | null
  part: Part
  isRefused: boolean
}

/** A one-time code, as `/page` gives it. */
const CODE = /^[A-Z0-9-]{8,40}$/i

/** Reads the words behind the `#`: a code, the launch data of a Mini App, or a part of the page. Pure. */
export function readFragment(words: string): Fragment {
  const fields = new URLSearchParams(words)
  const isPart = (word: string): word is Part => PARTS.some((part) => part === word)
  const part = isPart(words) ? words : 'positions'
  return {
    part,
    code: !isPart(words) && CODE.test(words) ? words : null,
    initData: fields.get('tgWebAppData'),
    isRefused: fields.has('refused'),
  }
}
