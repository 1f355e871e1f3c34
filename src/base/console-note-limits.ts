/** Bounds of a note that the console shows. A note is hostile input, so that everything has one. */
export const consoleNoteLimits = {
  /** Longer notes are cut, with a sentence that says so; likewise what has more elements. */
  charsMax: 200_000,
  elementsMax: 20_000,
  /** Of longer notes, the browser lays out only what is in sight. */
  longChars: 30_000,
  /** In a longer paragraph nothing is looked for: it is shown as plain text. */
  inlineCharsMax: 50_000,
  /** Embedded notes: how deep, how many on a page, and how much of each and of all of them. */
  embedDepthMax: 3,
  embedsMax: 40,
  embedCharsMax: 20_000,
  embedElementsMax: 2_000,
  allEmbedElementsMax: 10_000,
  /** Bases that are asked for at the same time. */
  basesAtOnce: 2,
  /** Pictures that are fetched for a page. */
  picturesMax: 60,
  /** The width that a note may ask for a picture. */
  pictureWidthMax: 2_000,
  /** Boxes and lines of a canvas that are drawn, and how many characters of a box. */
  canvasBoxesMax: 500,
  canvasElementsMax: 10_000,
  canvasNameCharsMax: 2_000,
  canvasEdgesMax: 1_000,
  boxCharsMax: 400,
  /** Properties that are listed, items of a list among them, and characters of a value. */
  propertiesMax: 200,
  propertyItemsMax: 100,
  propertyCharsMax: 2_000,
  /** Headings in the outline, and how many characters of each. */
  outlineMax: 500,
  headingCharsMax: 200,
  /** Words that are highlighted, and into how many pieces they may split one stretch of text. */
  marksMax: 20,
  piecesMax: 2_000,
} as const;
