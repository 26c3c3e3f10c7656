import alerts from './alerts.ts'
import changes from './changes.ts'
import dialog from './dialog.ts'
import home from './home.ts'
import kinds from './kinds.ts'
import message from './message.ts'
import digest from './money/digest.ts'
import pnl from './money/pnl.ts'
import holdings from './money/holdings.ts'
import move from './move/import.ts'
import nights from './nights.ts'
import pageui from './page/browser.ts'
import parse from './parse.ts'
import people from './people.ts'
import bars from './picture/bars.ts'
import card from './picture/card.ts'
import platforms from './platforms.ts'
import rules from './rules.ts'
import shown from './shown.ts'
import wallets from './wallets.ts'
import you from './you.ts'

/** All sentences in English, a file for each room. */
export default {
  ...alerts,
  ...changes,
  ...dialog,
  ...holdings,
  ...home,
  ...kinds,
  ...message,
  ...digest,
  ...pnl,
  ...move,
  ...nights,
  ...pageui,
  ...parse,
  ...people,
  ...bars,
  ...card,
  ...platforms,
  ...rules,
  ...shown,
  ...wallets,
  ...you,
} as const
