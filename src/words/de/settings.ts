import type english from '../en/settings.ts'

export default {
  'settings.language.summary': 'Sprache wählen',
  'settings.language.asks': 'English oder Deutsch; auto folgt deiner Chat-App',
  'settings.language.set': 'Ich spreche jetzt Deutsch mit dir.',
  'settings.language.auto': 'Ich spreche die Sprache deiner Chat-App: Deutsch.',
  'settings.detail.summary': 'Länge der Alarme wählen',
  'settings.detail.asks': 'short (kurz) oder full (alle Zahlen)',
  'settings.detail.short': 'Alarme sind jetzt kurz. Details stehen hinter ihren Knöpfen.',
  'settings.detail.full': 'Alarme zeigen jetzt alle Zahlen.',
} satisfies Record<keyof typeof english, string>
