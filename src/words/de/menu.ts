import type english from '../en/menu.ts'

export default {
  'menu.description':
    'Ich warne dich, bevor eine Position liquidiert wird: hier, auf dem Handy oder über eine Vertretung. Ich lese nur und komme an kein Geld. Tippe auf Starten und schick mir eine Wallet-Adresse (0x…).',
  'menu.short-description': 'Warnt dich, bevor eine Position liquidiert wird. Liest nur, kommt an kein Geld.',
} satisfies Record<keyof typeof english, string>
