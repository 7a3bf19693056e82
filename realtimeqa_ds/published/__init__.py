"""Published results, computed anew from the published predictions, through what everybody loads and scores with."""
