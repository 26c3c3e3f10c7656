import dialog from './dialog.ts'
import home from './home.ts'
import kinds from './kinds.ts'
import shown from './shown.ts'
import menu from './menu.ts'
import message from './message.ts'
import nights from './nights.ts'
import outage from './outage.ts'
import parse from './parse.ts'
import people from './people.ts'
import platforms from './platforms.ts'
import rules from './rules.ts'
import settings from './settings.ts'
import status from './status.ts'
import wallets from './wallets.ts'

/** All sentences in English, a file for each room. */
export default {
  ...dialog,
  ...home,
  ...kinds,
  ...shown,
  ...menu,
  ...message,
  ...nights,
  ...outage,
  ...parse,
  ...people,
  ...platforms,
  ...rules,
  ...settings,
  ...status,
  ...wallets,
} as const
