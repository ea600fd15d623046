import { cutText } from './text/cut-text.ts'
import { tidyLine } from './text/shown-text.ts'

const GAME_MAX = 60

/** Words of recorders, cameras and folders that name no game. */
const NO_GAME =
  /^(?:replay|clips?|desktop|downloads|documents|movies|videos?|vid|recordings?|screen ?recordings?|screen ?recorder|screenrecord|captures?|highlights?|gallery|screen|screen ?casts?(?: from)?|share|img|pxl|[tlm][sp]|whatsapp(?: video)?|signal|telegram|discord|dji|ps[45]|playstation|geforce(?: experience)?|nvidia(?: (?:app|overlay|share))?|medal|medaltv|obs|obs studio|bandicam|fraps|action|steam|shadowplay|radeon|relive|outplayed|xbox|game ?dvr|game ?bar|dvr|dcim|camera|untitled|output|export|copy|kopie|copie|edit(?:ed)?|final|cut|trim(?:med)?|temp|tmp|users|home)$/i
/** 'Captures Rust', 'Rust - Clips'. */
const KIND = '(?:replays?|clips?|captures?|(?:screen ?)?recordings?)'
const BEFORE_GAME = new RegExp(`^(?:${KIND}|[bf]g)[ -]+(?=\\S)(?!of\\b)`, 'i')
const AFTER_GAME = new RegExp(`[ -]+${KIND}[ -]*$`, 'i')
/** 'IMG_1234', 'GH010023', 'DSC00012'. */
const CAMERA =
  /^(?:(?:img|vid|mvi|mov|dsc[fn]?|pxl|g[hxp]|gopr|dji|c)[ _-]?[ea]?\d{3,}\S*|\d{4} [a-z])$/i
/** Hashes of 16 digits or more, and UUIDs. */
const IDENTIFIER = /^[\da-f]{16,}$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** Android packages: 'com.example.game'. */
const PACKAGE = /^[a-z]\w*(?:\.\w+){2,}$/i
/** Paths, also with other signs for separators, file names and addresses. */
const PATH =
  /[\\/@]|^[a-z]:|^[a-z](?:[ _]{2}|--)\S|^~|\.(?:mp4|m4v|mov|mkv|webm|avi|flv|ts|local|lan|home|exe)$|^(?:[a-z][\s-]+)?users[\s-]|^home[\s-]\S+?[\s-](?:videos|documents|desktop|downloads)/i
/** Default machine names: 'DESKTOP-4FJ2K1', 'ANNS-PC', 'Anns-MacBook-Pro'. */
const MACHINE =
  /^(?:desktop|laptop|win|pc|workstation|ip)-[\w-]+$|(?:^|[-_' ])(?:pc|laptop|desktop|mac|macbook|imac|iphone|ipad)(?:-\w+)*$/i

/** Names that Windows gives to machines. */
const WINDOWS_MACHINE = /(?<![\p{L}\d-])(?:DESKTOP|LAPTOP|WIN)-[A-Z\d]{7,11}(?![\p{L}\d-])/gu
/** 'ANNS-PC', 'Anns-MacBook-Pro' among other words. */
const OWN_MACHINE =
  /(?<![\p{L}\d-])[\p{L}\d'’-]+-(?:pc|laptop|desktop|mac|macbook|imac|iphone|ipad)(?:-\w+)*(?![\p{L}\d-])/giu

/** Titles people wrote may have a word such as 'my-first-PC'. */
export function withoutMachine(text: string): string {
  const rest = text.replaceAll(WINDOWS_MACHINE, '')
  if (rest === text) return text
  return rest.replaceAll(/\(\s*\)/g, '').replaceAll(/^[\s_–-]+|[\s_–-]+$/g, '')
}

export function withoutMachines(words: string): string {
  return withoutMachine(words).replaceAll(OWN_MACHINE, '').trim()
}

export function withoutKind(words: string): string {
  return saysNothing(words) ? words : words.replace(AFTER_GAME, '').replace(BEFORE_GAME, '')
}

export function saysNothing(words: string): boolean {
  return !/\p{L}/u.test(words) || [NO_GAME, CAMERA, IDENTIFIER].some((one) => one.test(words))
}

/** @returns undefined for no game, and for a possible path, user or machine */
export function cleanGame(text: string | undefined): string | undefined {
  const words = tidyLine(withoutMachines(text ?? ''))
  const isOther = PATH.test(text ?? '') || [PACKAGE, PATH, MACHINE].some((one) => one.test(words))
  return isOther || saysNothing(words) ? undefined : cutText(words, GAME_MAX).trim()
}
