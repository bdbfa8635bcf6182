// Files that are dropped anywhere on the page.

export function acceptDrops(take) {
  const { classList } = document.documentElement,
    isFile = event => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", event => {
    if (!isFile(event)) return;
    event.preventDefault();
    classList.add("dropping");
  });
  document.addEventListener("dragleave", () => classList.remove("dropping"));
  document.addEventListener("drop", event => {
    classList.remove("dropping");
    if (!isFile(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
