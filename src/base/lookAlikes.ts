/** Cyrillic, Greek and Armenian letters that most fonts draw like Latin ones (after Unicode Technical Standard 39, confusables). */
const drawnLikeLatin = /[авекмнорстухѕіјһԁԛԝӏгґёАВЕКМНОРСТУХЅІЈҺԀԚԜӀοναικρυτχεγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհցքզ]/u;

/** Letters and digits of other blocks that stand for ASCII ones: full width forms and mathematical alphabets. */
const standsForAscii = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/gu;

const word = /[\p{L}\p{M}\p{N}]+/gu;
const other = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/**
 * Where letters stand that pass for others: in a word of Latin letters one that is only drawn like them (`сurl` with a
 * Cyrillic с), and full-width or mathematical letters anywhere. Words all of one script are left alone. Offsets and lengths
 * in UTF-16 units, in order.
 */
export function findLookAlikes(text: string): { at: number; length: number }[] {
  const found = [...text.matchAll(standsForAscii)].map(({ 0: letter, index }) => ({
    at: index,
    length: letter.length,
  }));
  for (const { 0: letters, index } of text.matchAll(word)) {
    if (!/[A-Za-z]/.test(letters) || !other.test(letters)) continue;
    for (let at = 0; at < letters.length; at += 1) {
      if (drawnLikeLatin.test(letters.charAt(at))) found.push({ at: index + at, length: 1 });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
